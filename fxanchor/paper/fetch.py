"""Where a paper comes from: a file, an arXiv identifier or a URL."""

import re
from pathlib import Path
from typing import Final

from fxanchor.errors import InputError
from fxanchor.progress import Progress, silent

ARXIV: Final = "https://arxiv.org/pdf/"
# https://info.arxiv.org/help/arxiv_identifier.html: the scheme since 2007, and the one before.
_IDENTIFIER = re.compile(r"(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?")


def locate_paper(source: str, *, progress: Progress = silent) -> Path:
    """Return the file of a paper, downloading it when it is not a file.

    Args:
        source: A path, `arxiv:` with an identifier, or an http(s) URL.
        progress: Told of the bytes downloaded.

    Returns:
        The path; a download stays in the cache, keyed by its address.

    Raises:
        InputError: When the source is malformed, cannot be reached, is too large or too slow, or is no PDF.
    """
    if (scheme := source.partition(":")[0].lower()) == "arxiv":
        identifier = source.partition(":")[2].strip().removesuffix(".pdf")
        if not _IDENTIFIER.fullmatch(identifier):
            raise InputError(f"{identifier or source!r} is no arXiv identifier: write it like arxiv:2112.08429.")
        return _downloaded(ARXIV + identifier, f"arxiv:{identifier}", progress)
    if scheme in ("http", "https"):
        return _downloaded(source, source, progress)
    if "://" in source:
        raise InputError(f"{scheme} addresses are not read: give a path, arxiv:ID or an http(s) URL.")
    path = Path(source).expanduser()
    try:
        exists = path.exists()
    except (OSError, ValueError):
        # Too long for a name, or with a character that no name has.
        exists = False
    if not exists:
        raise InputError(f"{source} does not exist: check the path, or give arxiv:ID or a URL.")
    if path.is_dir():
        raise InputError(f"{source} is a directory: give the path of one PDF file in it.")
    if path.is_char_device():
        raise InputError(f"{source} is a device: give the path of a PDF file.")
    return path


def _downloaded(url: str, name: str, progress: Progress) -> Path:
    # What speaks HTTP is slow to import, and most papers are files.
    from fxanchor.paper.download import download

    return download(url, name, progress)
