"""A PDF file opened: damage, passwords and files that are no PDF told in one sentence."""

import contextlib
import io
import logging
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from fxanchor.errors import InputError

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader
    from pypdf.generic import PdfObject

MAX_PAGES: Final = 2_000
_TAIL: Final = b"\nendstream\nendobj\ntrailer\n<< /Size 1 >>\nstartxref\n0\n%%EOF\n"
_SECONDS_FOR_STRAYS: Final = 30.0
_MOST_COMPLAINTS: Final = 200
_MOST_SEARCHED: Final = 200_000_000


class Complaints(logging.Handler):
    """Collects what pypdf says of a damaged file, instead of letting it onto the terminal."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Take a message; a file can give rise to any number of them."""
        if len(self._said) < _MOST_COMPLAINTS:
            self._said.append(record.getMessage())

    def take(self) -> list[str]:
        """Return what was said since the last time."""
        said, self._said = self._said, []
        return said


@contextlib.contextmanager
def quiet() -> Iterator[Complaints]:
    """Keep the messages of pypdf off the terminal; what matters of them is told as a warning."""
    logger = logging.getLogger("pypdf")
    before = logger.level, logger.propagate
    complaints = Complaints()
    logger.addHandler(complaints)
    logger.setLevel(logging.WARNING)
    logger.propagate = False
    try:
        yield complaints
    finally:
        logger.removeHandler(complaints)
        logger.level, logger.propagate = before


def open_pdf(path: Path, data: bytes, password: str | None) -> "PdfReader":
    """Open a PDF for reading.

    Args:
        path: Its path, for messages.
        data: Its content.
        password: The password that opens it, or None.

    Raises:
        InputError: When it is damaged beyond reading or needs a password or another password.
    """
    from pypdf import PdfReader

    # Without a root pypdf looks through the whole file once for each number that an object could have.
    tries = max(1, min(10_000, _MOST_SEARCHED // len(data)))
    try:
        try:
            reader = PdfReader(io.BytesIO(data), strict=False, root_object_recovery_limit=tries)
        except MemoryError:
            raise
        except Exception:
            # A file that breaks off has lost the table at its end; with an empty one pypdf looks for objects itself.
            reader = PdfReader(io.BytesIO(data + _TAIL), strict=False, root_object_recovery_limit=tries)
        if reader.is_encrypted:
            _unlock(reader, path, password)
    except InputError:
        raise
    except MemoryError:
        raise InputError(f"{path} needs more memory than there is: try it on a larger machine.") from None
    except Exception:
        # A damaged file makes pypdf raise nearly anything, from KeyError to RecursionError.
        raise InputError(f"{path} is damaged and nothing of it can be read: download it again.") from None
    return reader


def _unlock(reader: "PdfReader", path: Path, password: str | None) -> None:
    # A file that only its owner locked opens with the empty password, which is how every viewer reads it.
    for attempt in [""] if password is None else [password, ""]:
        if reader.decrypt(attempt):
            return
    if password is None:
        raise InputError(f"{path} is locked with a password: give it with --password.")
    raise InputError(f"The password does not open {path}: check --password.")


def pages_of(reader: "PdfReader") -> tuple[list["PageObject"], list[str]]:
    """Return the pages that can be found, and what was wrong with the page tree, in plain sentences."""
    pages: list[PageObject] = []
    try:
        count = len(reader.pages)
    except MemoryError:
        raise
    except Exception:
        return _stray_pages(reader)
    failed = []
    for index in range(min(count, MAX_PAGES)):
        try:
            pages.append(reader.pages[index])
        except MemoryError:
            raise
        except Exception:
            failed.append(index + 1)
    warnings = [f"Page {number} cannot be found in the file." for number in failed]
    if count > MAX_PAGES:
        warnings.append(f"Only the first {MAX_PAGES} of {count} pages were read.")
    if not pages:
        stray, told = _stray_pages(reader)
        return stray, [*warnings, *told]
    return pages, warnings


def _stray_pages(reader: "PdfReader") -> tuple[list["PageObject"], list[str]]:
    """Collect the page objects of a file whose page tree is broken, in the order in which they stand in it."""
    from pypdf import PageObject
    from pypdf.generic import DictionaryObject, IndirectObject

    places: list[tuple[int, int, int, int]] = []
    for generation, entries in reader.xref.items():
        places.extend((offset, 0, number, generation) for number, offset in entries.items())
    for number, (stream, index) in reader.xref_objStm.items():
        places.append((_offset(reader, stream), index, number, 0))
    pages: list[PageObject] = []
    until = time.monotonic() + _SECONDS_FOR_STRAYS
    for _, _, number, generation in sorted(places):
        if len(pages) >= MAX_PAGES or time.monotonic() > until:
            break
        with contextlib.suppress(Exception):
            reference = IndirectObject(number, generation, reader)
            entry = reader.get_object(reference)
            if isinstance(entry, DictionaryObject) and entry.get("/Type") == "/Page":
                page = PageObject(reader, reference)
                page.update(entry)
                pages.append(page)
    return pages, ["The file is damaged: its pages were put together from what is left of it."]


def _offset(reader: "PdfReader", number: int) -> int:
    return int(reader.xref.get(0, {}).get(number, 0))


def resources_of(page: "PageObject") -> "PdfObject | None":
    """Return the resources of a page; one that has none takes those of the node above it."""
    node: Any = page
    for _ in range(32):
        if "/Resources" in node:
            found: PdfObject = node["/Resources"].get_object()
            return found
        if "/Parent" not in node:
            break
        node = node["/Parent"].get_object()
    return None


def bookmarks(reader: "PdfReader") -> dict[int, list[tuple[str, int]]]:
    """Return title and depth (0 for the outermost) of the bookmarks by 1-based page; empty when there are none."""
    from pypdf.generic import Destination

    found: dict[int, list[tuple[str, int]]] = {}

    def collect(entries: Sequence[object], depth: int) -> None:
        for entry in entries:
            if isinstance(entry, list):
                if depth < 8:
                    collect(entry, depth + 1)
                continue
            with contextlib.suppress(Exception):
                assert isinstance(entry, Destination)
                page = reader.get_destination_page_number(entry)
                if page is not None and page >= 0:
                    found.setdefault(page + 1, []).append((str(entry.title), depth))

    with contextlib.suppress(Exception):
        # pypdf reads all named destinations before it finds that there are no bookmarks.
        if "/Outlines" in reader.root_object:
            collect(reader.outline, 0)
    return found
