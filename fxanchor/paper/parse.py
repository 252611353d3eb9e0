"""A PDF taken apart and put together as a paper: one pass over each page, then lines, blocks and passages."""

import re
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fxanchor.errors import InputError
from fxanchor.paper.document import Paper, Passage
from fxanchor.paper.page.columns import find_gutters, reading_order
from fxanchor.paper.page.furniture import split_furniture
from fxanchor.paper.page.line_numbers import take_line_numbers
from fxanchor.paper.page.lines import Line, gather
from fxanchor.paper.page.marks import raise_initials, underscores
from fxanchor.paper.page.style import study
from fxanchor.paper.parts.blocks import build_blocks
from fxanchor.paper.parts.floats import bind_captions
from fxanchor.paper.parts.joined import join_listings
from fxanchor.paper.parts.numbered import mark_numbered
from fxanchor.paper.pdf.content import TooMuch
from fxanchor.paper.pdf.fonts import UNKNOWN
from fxanchor.paper.pdf.opening import Complaints, bookmarks, open_pdf, pages_of, quiet, resources_of
from fxanchor.paper.pdf.shelf import FontShelf
from fxanchor.paper.pdf.spans import PageSpans, Span, share, visible
from fxanchor.paper.pdf.walk import Walker
from fxanchor.paper.sections.headings import find_headings
from fxanchor.paper.sections.title import find_title
from fxanchor.paper.text.passages import build_passages, mend_title
from fxanchor.paper.words.repairs import readable
from fxanchor.paper.words.vocabulary import Vocabulary
from fxanchor.progress import Progress

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

SECONDS_PER_PAGE: Final = 20.0
# After so many pages the objects that they share are read again.
_PAGES_KEPT: Final = 32
# What pypdf says of a file without its end or its table, and of a stream that cannot be unpacked.
_DAMAGE = re.compile(r"EOF marker|xref", re.IGNORECASE)
_BROKEN_STREAM = re.compile(r"decompress|decod|stream", re.IGNORECASE)


def parse_paper(path: Path, data: bytes, digest: str, password: str | None, progress: Progress) -> Paper:
    """Make a paper of the bytes of a PDF file.

    Args:
        path: The file, for messages.
        data: Its content.
        digest: SHA-256 of the content.
        password: The password that opens it, or None.
        progress: Told of every page.

    Raises:
        InputError: When it is locked, holds no text or cannot be read at all.
    """
    with quiet() as complaints:
        return _parse(path, data, digest, password, progress, complaints)


def _parse(
    path: Path, data: bytes, digest: str, password: str | None, progress: Progress, complaints: Complaints
) -> Paper:
    reader = open_pdf(path, data, password)
    pages, warnings = pages_of(reader)
    if not warnings and any(_DAMAGE.search(said) for said in complaints.take()):
        warnings.append("The file is damaged or breaks off: what is left of it was read.")
    if not pages:
        raise InputError(f"{path} is damaged and no page of it can be found: download it again.")
    walked = _walk_pages(reader, pages, warnings, progress, complaints)
    unknown, total = _unknown(walked)
    if unknown >= 0.9 * total:
        raise InputError(_no_text(path, walked, warnings, total))
    if unknown > 0.2 * total:
        warnings.append("Many characters cannot be told: the file does not say what its glyphs mean.")
    lines = _lines_of(walked, progress)
    # The lines hold the spans from here on, and let go of them one by one.
    walked.clear()
    ordered = [line for page in lines for line in page]
    style = study(lines)
    title = find_title(lines[0], style)
    headings = find_headings([line for line in ordered if line not in title], style, lambda: bookmarks(reader))
    words = Vocabulary(ordered)
    for heading in headings:
        heading.section = replace(heading.section, title=mend_title(heading.section.title, heading.lines, words))
    blocks = join_listings(build_blocks(ordered, style, headings, title), style)
    bind_captions(blocks)
    passages = build_passages(blocks, style, words)
    if not passages:
        raise InputError(f"{path} holds no running text: give the PDF of a paper.")
    return Paper(
        sha256=digest,
        title=_title(passages, reader),
        pages=len(pages),
        passages=tuple(passages),
        sections=tuple(heading.section for heading in headings),
        has_code_font=bool(style.code),
        warnings=tuple(warnings),
    )


def _title(passages: Sequence[Passage], reader: "PdfReader") -> str:
    for passage in passages:
        if passage.role == "title":
            return re.sub(r"^(?:论\s*文\s*)?题\s*目\s*[:：]\s*|^Title\s*:\s*", "", passage.text)
    try:
        told = reader.metadata.title if reader.metadata is not None else None
        return readable(str(told or "")).strip()
    except MemoryError:
        raise
    except Exception:
        return ""


def _walk_pages(
    reader: "PdfReader",
    pages: Sequence["PageObject"],
    warnings: list[str],
    progress: Progress,
    complaints: Complaints,
) -> list[PageSpans]:
    shelf = FontShelf()
    walked = []
    words: dict[str, str] = {}
    for number, page in enumerate(pages, 1):
        progress("reading pages", number - 1, len(pages))
        walker = Walker(shelf, time.monotonic() + SECONDS_PER_PAGE)
        complaints.take()
        try:
            contents = page.get_contents()
            if contents is not None:
                walker.walk(contents.get_data(), resources_of(page))
            if any(_BROKEN_STREAM.search(said) for said in complaints.take()):
                warnings.append(f"Page {number} is damaged and was read in part only.")
        except TooMuch:
            warnings.append(f"Page {number} is too large and was read in part only.")
        except MemoryError:
            warnings.append(f"Page {number} needs too much memory and was read in part only.")
        except Exception:
            # Damaged streams make pypdf raise nearly anything; the other pages are still worth reading.
            warnings.append(f"Page {number} is damaged and was read in part only.")
        walker.page.spans = _inside(_body(walker.page), page)
        share(walker.page.spans, words)
        walked.append(walker.page)
        if not number % _PAGES_KEPT:
            # pypdf keeps every object that it has read, streams and all.
            reader.resolved_objects.clear()
            shelf.forget_forms()
    if shelf.lost:
        warnings.append("Fonts are missing from the file: letters set in them were taken as ASCII.")
    progress("reading pages", len(pages), len(pages))
    return walked


def _body(page: PageSpans) -> list[Span]:
    """Return the spans without those that the file calls part of every page, unless that would be most of them."""
    body, running = (sum(len(span.text) for span in spans) for spans in (page.spans, page.running))
    return page.spans if body > running else page.spans + page.running


def _inside(spans: list[Span], page: "PageObject") -> list[Span]:
    try:
        box = page.cropbox
        return list(visible(spans, (float(box.left), float(box.bottom), float(box.right), float(box.top))))
    except MemoryError:
        raise
    except Exception:
        return spans


def _unknown(walked: Sequence[PageSpans]) -> tuple[int, int]:
    """Count the characters that the file does not tell, and all."""
    unknown = total = 0
    for page in walked:
        for span in page.spans:
            unknown += span.text.count(UNKNOWN)
            total += len(span.text)
    return unknown, total


def _no_text(path: Path, walked: Sequence[PageSpans], warnings: Sequence[str], total: int) -> str:
    if total:
        return f"{path} does not say what its glyphs mean: run it through OCR first, for instance ocrmypdf --force-ocr."
    if any(page.images for page in walked):
        return f"{path} has no text layer, only pictures of its pages: run it through OCR first, for instance ocrmypdf."
    if warnings:
        return f"{path} is damaged and no text of it can be read: download it again."
    return f"{path} holds no text: give the PDF of a paper."


def _lines_of(walked: Sequence[PageSpans], progress: Progress) -> list[list[Line]]:
    """Return the body lines of each page in reading order, numbered."""
    upright = [_main_direction(page.spans) for page in walked]
    for spans, page in zip(upright, walked, strict=True):
        spans.extend(underscores(spans, page.rules))
    numbers = take_line_numbers(upright)
    gutters = find_gutters(upright)
    ordered = []
    for number, (spans, gutter) in enumerate(zip(upright, gutters, strict=True), 1):
        progress("arranging lines", number, len(walked))
        ordered.append(reading_order(raise_initials(gather(spans, gutter, number))))
    mark_numbered(ordered, numbers)
    bodies = [body for body, _ in split_furniture(ordered)]
    for body in bodies:
        for number, line in enumerate(body, 1):
            line.number = number
    return bodies


def _main_direction(spans: Sequence[Span]) -> list[Span]:
    letters = dict.fromkeys(range(-1, 4), 0)
    for span in spans:
        letters[span.turn] += len(span.text)
    turn = max((0, 1, 2, 3), key=lambda turn: letters[turn])
    return [span for span in spans if span.turn == turn]
