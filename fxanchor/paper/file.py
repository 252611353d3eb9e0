"""The bytes of a PDF file, or one sentence on why there are none."""

from pathlib import Path
from typing import Final

from fxanchor.errors import InputError

MAX_BYTES: Final = 500_000_000
_SIGNATURE: Final = b"%PDF-"


def read_bytes(path: Path) -> bytes:
    """Return the content of a PDF file.

    Raises:
        InputError: When the file is missing, a directory, unreadable, too large, empty or no PDF.
    """
    try:
        if path.is_dir():
            raise InputError(f"{path} is a directory: give the path of one PDF file in it.")
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"{path} is larger than {MAX_BYTES // 1_000_000} MB: give a file with the paper alone.")
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path} does not exist: check the path, or give arxiv:ID or a URL.") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}): check its permissions.") from None
    if not data:
        raise InputError(f"{path} is empty: download it again.")
    if _SIGNATURE not in data[:1024]:
        raise InputError(f"{path} is not a PDF file ({_looks_like(data)}): give the PDF of the paper.")
    return data


def _looks_like(data: bytes) -> str:
    start = data[:512].lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "it is a web page"
    if start.startswith(b"pk\x03\x04"):
        return "it is a ZIP archive"
    if b"\x00" not in start and start.isascii() and start:
        return "it is plain text"
    return "it does not start as one"
