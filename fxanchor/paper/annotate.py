"""A copy of a paper with words highlighted or underlined, each with a note and a link."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fxanchor import cache
from fxanchor.errors import InputError
from fxanchor.paper.document import Box, Place
from fxanchor.paper.file import read_bytes
from fxanchor.paper.pdf.opening import open_pdf, quiet

if TYPE_CHECKING:
    from pypdf import PdfWriter

# How far a highlight reaches over the letters, in points.
_MARGIN: Final = 0.6
_MAX_TEXT: Final = 2_000


@dataclass(frozen=True, slots=True)
class Note:
    """What to put on the pages.

    Attributes:
        places: What to highlight, line by line, the lines of a page together.
        colour: Six hexadecimal digits, such as `ffe066`.
        text: The note; shown when the highlight is pointed at.
        url: Where a click leads, or "" for nowhere.
        underline: Whether to draw a line under the words instead of a colour over them.
    """

    places: tuple[Place, ...]
    colour: str
    text: str
    url: str = ""
    underline: bool = False


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
        by_page: dict[int, list[tuple[Note, list[Box]]]] = defaultdict(list)
        for note in notes:
            for page, places in groupby(note.places, key=lambda place: place.page):
                by_page[page].append((note, [_widened(place.box) for place in places]))
        try:
            for page in range(1, len(writer.pages) + 1):
                for note, boxes in by_page[page]:
                    _add(writer, page, note, boxes)
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


def _widened(box: Box) -> Box:
    return Box(box.x0 - _MARGIN, box.y0 - _MARGIN, box.x1 + _MARGIN, box.y1 + _MARGIN)


def _add(writer: "PdfWriter", page: int, note: Note, boxes: Sequence[Box]) -> None:
    from pypdf.annotations import Highlight, Link
    from pypdf.generic import ArrayObject, FloatObject, NameObject, TextStringObject

    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    around = (min(lefts), min(bottoms), max(rights), max(tops))
    corners = [corner for x0, y0, x1, y1 in boxes for corner in (x0, y1, x1, y1, x0, y0, x1, y0)]
    quads = ArrayObject(FloatObject(value) for value in corners)
    highlight = Highlight(rect=around, quad_points=quads, highlight_color=note.colour.lstrip("#"))
    if note.underline:
        highlight[NameObject("/Subtype")] = NameObject("/Underline")
    highlight[NameObject("/Contents")] = TextStringObject(note.text[:_MAX_TEXT])
    highlight[NameObject("/T")] = TextStringObject("fxanchor")
    writer.add_annotation(page_number=page - 1, annotation=highlight)
    if note.url:
        # One link a line: viewers take the rectangle around all lines, and the words between them, for the link.
        for box in boxes:
            writer.add_annotation(page_number=page - 1, annotation=Link(rect=box, url=note.url, border=[0, 0, 0]))
