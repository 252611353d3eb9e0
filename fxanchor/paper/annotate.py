"""A copy of a paper with its mentions highlighted, each with a note and a link."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fxanchor import cache
from fxanchor.errors import InputError
from fxanchor.paper.document import Box
from fxanchor.paper.file import read_bytes
from fxanchor.paper.opening import open_pdf, quiet

if TYPE_CHECKING:
    from pypdf import PdfWriter

# How far a highlight reaches over the letters, in points.
_MARGIN: Final = 0.6
_MAX_TEXT: Final = 2_000


@dataclass(frozen=True, slots=True)
class Note:
    """What to put on a page.

    Attributes:
        page: 1-based page.
        box: What to highlight, in points of the page.
        colour: Six hexadecimal digits, such as `ffe066`.
        text: The note; shown when the highlight is pointed at.
        url: Where a click leads, or "" for nowhere.
    """

    page: int
    box: Box
    colour: str
    text: str
    url: str = ""


def annotate(pdf: Path, notes: Sequence[Note], out: Path, password: str | None = None) -> None:
    """Write a copy of a PDF with highlights, notes and links.

    Args:
        pdf: The PDF to copy.
        notes: What to put on it; notes on pages that it does not have are left out.
        out: Where to write; the file appears whole or not at all.
        password: The password that opens the PDF, or None.

    Raises:
        InputError: When the PDF cannot be read or copied, or `out` cannot be written.
    """
    data = read_bytes(pdf)
    if out.exists() and out.resolve() == pdf.resolve():
        raise InputError(f"{out} is the paper itself: give another name for the annotated copy.")
    with quiet():
        writer = _copied(pdf, data, password)
        by_page: dict[int, list[Note]] = defaultdict(list)
        for note in notes:
            by_page[note.page].append(note)
        try:
            for page in range(1, len(writer.pages) + 1):
                for note in by_page[page]:
                    _add(writer, note)
            with cache.replacing(out) as temporary, temporary.open("wb") as stream:
                writer.write(stream)
        except OSError as error:
            raise InputError(f"{out} cannot be written ({error.strerror}): give another place for the copy.") from None
        except MemoryError:
            raise
        except Exception:
            raise InputError(f"{pdf} is too damaged to be copied with notes: download it again.") from None


def _copied(pdf: Path, data: bytes, password: str | None) -> "PdfWriter":
    from pypdf import PdfWriter

    reader = open_pdf(pdf, data, password)
    try:
        return PdfWriter(clone_from=reader)
    except MemoryError:
        raise
    except Exception:
        # Damaged files make pypdf raise nearly anything.
        raise InputError(f"{pdf} is too damaged to be copied with notes: download it again.") from None


def _add(writer: "PdfWriter", note: Note) -> None:
    from pypdf.annotations import Highlight, Link
    from pypdf.generic import ArrayObject, FloatObject, NameObject, TextStringObject

    x0, y0, x1, y1 = note.box
    x0, y0, x1, y1 = x0 - _MARGIN, y0 - _MARGIN, x1 + _MARGIN, y1 + _MARGIN
    corners = ArrayObject(FloatObject(value) for value in (x0, y1, x1, y1, x0, y0, x1, y0))
    highlight = Highlight(rect=(x0, y0, x1, y1), quad_points=corners, highlight_color=note.colour.lstrip("#"))
    highlight[NameObject("/Contents")] = TextStringObject(note.text[:_MAX_TEXT])
    highlight[NameObject("/T")] = TextStringObject("fxanchor")
    writer.add_annotation(page_number=note.page - 1, annotation=highlight)
    if note.url:
        link = Link(rect=(x0, y0, x1, y1), url=note.url, border=[0, 0, 0])
        writer.add_annotation(page_number=note.page - 1, annotation=link)
