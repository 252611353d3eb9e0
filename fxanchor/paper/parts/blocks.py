"""Lines gathered into blocks: paragraphs, captions, listings, tables, figure text, footnotes, headings."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from fxanchor.paper.document import Role
from fxanchor.paper.page.lines import WIDE, Line
from fxanchor.paper.page.style import Style
from fxanchor.paper.parts.beside import part_floats
from fxanchor.paper.parts.captions import label_of
from fxanchor.paper.parts.cells import ITEM, same_column
from fxanchor.paper.parts.kinds import Kind, first_word, has_label, line_kinds
from fxanchor.paper.parts.notes import place_notes
from fxanchor.paper.sections.headings import REFERENCES, Heading

_ENTRY = re.compile(r"\[\w{1,12}\+?\]|\d{1,3}\.\s")
_FOOTNOTE_MARK = re.compile(r"(\d{1,2}|[∗*†‡§¶]{1,3})")
_SENTENCE_END = re.compile(r"[.?!:。？！：”\"]$")
_MOSTLY_CODE = 0.8
_ROLES: Mapping[Kind, Role] = {
    "code": "listing",
    "caption": "caption",
    "figure": "figure",
    "cells": "table",
    "formula": "formula",
    "contents": "contents",
    "text": "prose",
}


@dataclass(slots=True, eq=False)
class Block:
    """Lines that belong together.

    Attributes:
        role: What they are.
        lines: The lines.
        section: Name of the section.
        label: Label of the caption, or of the caption that belongs to it.
        fresh: Whether it starts a paragraph of its own, by a look that a continuation does not have.
        mark: Mark of a footnote.
        floating: Whether it stands apart from the running text, so that a sentence can go on behind it.
    """

    role: Role
    lines: list[Line] = field(default_factory=list)
    section: str = ""
    label: str = ""
    fresh: bool = False
    mark: str = ""
    floating: bool = False


def build_blocks(
    lines: Sequence[Line], style: Style, headings: Sequence[Heading], title: Sequence[Line]
) -> list[Block]:
    """Gather the body lines of a paper into blocks.

    Args:
        lines: The lines in reading order.
        style: What is usual in the paper.
        headings: The headings found among them.
        title: The lines that hold the paper's title.
    """
    opens = {id(heading.lines[0]): heading for heading in headings if heading.lines}
    starts = {(heading.section.page, heading.section.line): heading for heading in headings if not heading.lines}
    inside = {id(line) for heading in headings for line in heading.lines}
    titles = {id(line) for line in title}
    lines = part_floats(lines, style, inside | titles)
    references = _reference_lines(lines, opens)
    kinds = line_kinds(lines, style, references, inside | titles)
    hanging = _hanging([line for line in lines if id(line) in references and kinds[id(line)] == "text"])
    blocks: list[Block] = []
    section = ""
    current: Block | None = None
    for line in lines:
        if heading := opens.get(id(line)) or starts.get((line.page, line.number)):
            section = heading.section.name
            current = None
            if heading.lines:
                blocks.append(Block("heading", list(heading.lines), section))
        if id(line) in inside:
            continue
        if id(line) in titles:
            if current is None or current.role != "title":
                current = Block("title", [], section)
                blocks.append(current)
            current.lines.append(line)
            continue
        listed = id(line) in references
        opened = _opens(line, current, kinds, style, references=listed)
        if not opened and hanging and listed and current is not None and current.role == "reference":
            least = hanging.get((line.page, line.column))
            opened = "fresh" if least is not None and line.x0 - least < 0.3 * line.size else ""
        if current is None or opened:
            kind = kinds[id(line)]
            role = "reference" if listed and kind == "text" else _ROLES[kind]
            # Names and addresses under a title are often set in columns.
            early = not section and line.page == 1 and not any(block.role == "caption" for block in blocks)
            addresses = role == "table" or (role == "listing" and "@" in line.text[1:])
            role = "prose" if addresses and early else role
            current = Block(role, [], section, fresh=opened == "fresh")
            current.label = label_of(line) if role == "caption" else ""
            blocks.append(current)
        current.lines.append(line)
    _mark_footnotes(blocks, style)
    place_notes(blocks)
    return blocks


def _reference_lines(lines: Sequence[Line], opens: Mapping[int, Heading]) -> set[int]:
    found: set[int] = set()
    references = False
    for line in lines:
        if heading := opens.get(id(line)):
            references = REFERENCES.fullmatch(heading.section.title) is not None
        if references:
            found.add(id(line))
    return found


def _hanging(lines: Sequence[Line]) -> dict[tuple[int, int], float]:
    """Return where the entries of a reference list begin in each column, when their other lines are set in."""
    lefts: dict[tuple[int, int], float] = {}
    for line in lines:
        key = (line.page, line.column)
        lefts[key] = min(lefts.get(key, line.x0), line.x0)
    firsts = ended = inner = 0
    for above, line in pairwise(lines):
        if line.x0 - lefts[line.page, line.column] < 0.3 * line.size:
            firsts += 1
            ended += above.text[-1:] == "."
        else:
            inner += 1
    # Where first lines are set in, the others begin in the middle of a sentence.
    return lefts if firsts > 1 and inner and ended > 0.9 * firsts else {}


def _opens(line: Line, current: Block | None, kinds: Mapping[int, Kind], style: Style, *, references: bool) -> str:
    """Tell whether a line opens a block: "" for no, "fresh" when it cannot go on with what stands above, or "apart"."""
    if current is None or current.role == "title":
        return "fresh"
    above = current.lines[-1]
    if not same_column(above, line):
        return "apart"
    kind, before = kinds[id(line)], kinds[id(above)]
    step = above.y - line.y
    usual = style.line_step(max(above.size, line.size))
    if kind == "caption":
        return "fresh"
    if current.role == "caption":
        # The rows of a table can follow its caption without room between.
        rows = kind == "cells" and current.label.startswith(("Table", "表"))
        goes_on = kind in ("text", "cells") and not rows and 0 < step < 1.35 * usual
        return "" if goes_on and abs(line.size - above.size) < 0.06 * above.size else "fresh"
    if kind != before:
        return "apart"
    if kind in ("figure", "cells", "formula", "contents"):
        return "" if abs(step) < 3.5 * line.size else "fresh"
    if kind == "code":
        return "" if 0 < step < 1.5 * style.line_step(line.size) else "apart"
    if step <= 0 or step > 1.3 * usual or not alike(line, above):
        return "apart"
    return _opens_entry(line, current, style) if references else _opens_paragraph(above, line, style, current)


def alike(line: Line, other: Line, slack: float = 0.2) -> bool:
    """Tell whether two lines are set about as large; a code font can differ by some slack from the text it is in."""
    apart, larger = abs(line.size - other.size), max(line.size, other.size)
    return apart < 0.07 * larger or (apart < slack * larger and max(line.code, other.code) > _MOSTLY_CODE)


def _opens_entry(line: Line, current: Block, style: Style) -> str:
    if _ENTRY.match(line.text):
        return "fresh"
    first = current.lines[0]
    above = current.lines[-1]
    # An entry of one line has no hanging one; it ends where the next word had room.
    room = style.edge(line)[1] - above.x1 > max(first_word(line) + 0.25 * line.size, 2.5 * line.size)
    short = len(current.lines) == 1 and room and above.text.endswith(".")
    roomy = above.y - line.y > 1.15 * style.line_step(line.size) and above.text.endswith(".")
    hangs = short or roomy or any(other.x0 > first.x0 + 0.6 * line.size for other in current.lines[1:])
    return "fresh" if hangs and abs(line.x0 - first.x0) < 0.4 * line.size else ""


def _opens_paragraph(above: Line, line: Line, style: Style, current: Block) -> str:
    left, right = style.edge(line)
    size = line.size
    item = ITEM.match(current.lines[0].text) is not None
    if ITEM.match(line.text) and not line.text.startswith(("-", "–")):
        ended = above.x1 < right - 2 * size or re.search(r"[.;:,。；：]$", above.text) is not None
        if ended or (item and abs(line.x0 - current.lines[0].x0) < size):
            return "fresh"
    if 0.7 * size < line.x0 - left < 4 * size and line.x0 - above.x0 > 0.7 * size and not item:
        # What a label in a list of descriptions begins is set in behind its first line.
        hangs = len(current.lines) == 1 and above.x1 > right - max(2 * size, first_word(line) + 0.25 * size)
        name = above.spans[-1].font.mono and line.spans[0].font.mono and line.text[0].islower()
        ended = _SENTENCE_END.search(above.text) is not None and not name
        return "" if hangs and not ended and (line.text[0].islower() or has_label(above, style)) else "fresh"
    if _is_labelled(line, current.lines[0], style) and _SENTENCE_END.search(above.text):
        return "fresh"
    if _mark(line) and (not current.fresh or _mark(current.lines[0])):
        return "fresh"
    # The paragraph itself tells how far its lines reach, once it has some.
    reach = max(other.x1 for other in current.lines) if len(current.lines) > 2 else right
    room = reach - above.x1
    # Beside a float, the lines of a paragraph end at an edge of their own.
    if abs(line.x1 - above.x1) < 0.3 * size:
        room = 0.0
    # Where lines end as they come, one is short when the next word had room on it.
    short = room > max(2.5 * size, first_word(line) + 0.25 * size if style.ragged else 0)
    if short and _SENTENCE_END.search(above.text) and above.x0 < right - 8 * size:
        return "fresh"
    return ""


def _is_labelled(line: Line, first: Line, style: Style) -> bool:
    """Tell whether a line and the first one of a paragraph both begin in bold, as descriptions with labels do."""
    labels = has_label(first, style) and has_label(line, style)
    return labels and abs(line.x0 - first.x0) < 0.3 * line.size


def _mark_footnotes(blocks: Sequence[Block], style: Style) -> None:
    """Call the text at the foot of a column a footnote that is set small or begins with a raised mark."""
    lowest: dict[tuple[int, int], float] = {}
    for block in blocks:
        small = block.lines[0].size <= 0.95 * style.size
        if block.role in ("prose", "reference") and not small and not _mark(block.lines[0]):
            for line in block.lines:
                key = (line.page, line.column)
                lowest[key] = min(lowest.get(key, line.y), line.y)
    entries = [bool(_mark(block.lines[0])) for block in blocks if block.role == "reference"]
    for block in blocks:
        first = block.lines[0]
        mark = _mark(first) if block.role in ("prose", "reference") else ""
        # The entries of some reference lists have raised numbers.
        if block.role != "prose" and (not mark or 2 * sum(entries) > len(entries)):
            continue
        columns = (WIDE, 0, 1) if first.column == WIDE else (WIDE, first.column)
        bottom = min((lowest[key] for column in columns if (key := (first.page, column)) in lowest), default=None)
        small = first.size <= 0.95 * style.size
        under = bottom is not None and first.y < bottom
        if (under and (small or mark)) or (bottom is None and mark and small):
            block.role, block.mark, block.floating = "footnote", mark, True


def _mark(line: Line) -> str:
    first = line.spans[0]
    match = _FOOTNOTE_MARK.match(first.text)
    if match and len(line.spans) > 1 and line.is_raised(first):
        return match.group()
    return ""
