"""Lines gathered into blocks: paragraphs, captions, listings, tables, figure text, footnotes, headings."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fxanchor.paper.document import Role
from fxanchor.paper.headings import REFERENCES, Heading
from fxanchor.paper.lines import Line
from fxanchor.paper.style import Style, is_bold

_CAPTION = re.compile(
    r"(?P<kind>fig(?:ure|\.)?|table|tab\.|listing|algorithm|code|program|图|表|代码|算法|清单)\s*"
    r"(?P<number>[A-Z]?\.?\d+(?:[.\-–]\d+)*|[IVX]+(?![a-z]))\s*(?P<mark>[.:|：—–-]|$)?",
    re.IGNORECASE,
)
_SUBCAPTION = re.compile(r"\([a-z]\)\s+\S")
_ITEM = re.compile(r"(?:[•◦‣▪●■➢∙·–*-]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])(?:\s|$)")
_ENTRY = re.compile(r"\[\w{1,12}\+?\]|\d{1,3}\.\s")
_FOOTNOTE_MARK = re.compile(r"(\d{1,2}|[∗*†‡§¶]{1,3})")
_KINDS = {"fig": "Figure", "tab": "Table", "lis": "Listing", "alg": "Algorithm", "cod": "Code", "pro": "Program"}


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
    kinds = _kinds(lines, style)
    blocks: list[Block] = []
    section, references = "", False
    current: Block | None = None
    for index, line in enumerate(lines):
        if heading := opens.get(id(line)) or starts.get((line.page, line.number)):
            section = heading.section.name
            references = REFERENCES.fullmatch(heading.section.title) is not None
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
        above = current.lines[-1] if current is not None else None
        opened = _opens(above, line, kinds, style, references=references, current=current)
        if current is None or above is None or opened:
            current = Block(_first_role(line, kinds, references=references), [], section)
            current.fresh = above is None or opened == "fresh"
            current.label = _label(line, style) if current.role == "caption" else ""
            blocks.append(current)
        current.lines.append(line)
    _mark_footnotes(blocks, style)
    return _merge_listings(blocks, style)


def _first_role(line: Line, kinds: Mapping[int, str], *, references: bool) -> Role:
    kind = kinds[id(line)]
    if kind == "code":
        return "listing"
    if kind == "caption":
        return "caption"
    if kind == "figure":
        return "figure"
    if kind == "cells":
        return "table"
    return "reference" if references else "prose"


def _kinds(lines: Sequence[Line], style: Style) -> dict[int, str]:
    kinds: dict[int, str] = {}
    families = {_family(font) for font in style.fonts}
    for index, line in enumerate(lines):
        above = lines[index - 1] if index else None
        if above is not None and (above.page, above.column) != (line.page, line.column):
            above = None
        if style.code and line.code >= 0.88:
            kind = "code"
        elif _is_caption(line, above, style):
            kind = "caption"
        elif (line.figure > 0.5 and style.forms) or (
            _family(line.font) not in families and line.letters < 40 and line.size < 0.97 * style.size
        ):
            kind = "figure"
        elif _cells(line) >= 2:
            kind = "cells"
        else:
            kind = "text"
        kinds[id(line)] = kind
    _settle_inline_code(lines, kinds, style)
    _settle_cells(lines, kinds)
    return kinds


def _family(font: str) -> str:
    return re.split(r"[-,]|\d", font)[0]


def _cells(line: Line) -> int:
    count = 1
    for left, right in zip(line.spans, line.spans[1:], strict=False):
        if right.x0 - left.x1 > 1.15 * line.size and not (count == 1 and _ITEM.fullmatch(left.text + " ")):
            count += 1
    return count


def _is_caption(line: Line, above: Line | None, style: Style) -> bool:
    match = _CAPTION.match(line.text)
    if match is None:
        return bool(_SUBCAPTION.match(line.text)) and line.size < 0.97 * style.size
    apart = above is None or above.y - line.y > 1.2 * style.line_step(line.size)
    smaller = abs(line.size - style.size) > 0.03 * style.size
    bold = is_bold(line.spans[0].font.name) and line.spans[0].font.name != style.font
    return bool(match["mark"] or bold or smaller) and (apart or smaller or bold)


def _label(line: Line, style: Style) -> str:
    match = _CAPTION.match(line.text)
    if match is None:
        return ""
    kind = match["kind"]
    return f"{_KINDS.get(kind[:3].lower(), kind)} {match['number']}"


def _settle_inline_code(lines: Sequence[Line], kinds: dict[int, str], style: Style) -> None:
    """Call lines of a paragraph that hold nothing but code text, not code."""
    index = 0
    while index < len(lines):
        if kinds[id(lines[index])] != "code":
            index += 1
            continue
        end = index
        while end < len(lines) and kinds[id(lines[end])] == "code" and _same_column(lines[index], lines[end]):
            end += 1
        if index and end - index <= 2 and _runs_on(lines[index - 1], lines[index], style):
            if kinds[id(lines[index - 1])] in ("text", "caption"):
                for line in lines[index:end]:
                    kinds[id(line)] = "text"
        index = end


def _runs_on(above: Line, line: Line, style: Style) -> bool:
    left, right = style.edge(above)
    size = above.size
    return (
        _same_column(above, line)
        and 0 < above.y - line.y < 1.15 * style.line_step(size)
        and abs(line.x0 - left) < 0.6 * size
        and above.x1 > right - 4 * size
        and not above.text.rstrip().endswith(":")
    )


def _settle_cells(lines: Sequence[Line], kinds: dict[int, str]) -> None:
    """A row of cells alone is no table: a line with a wide gap is text, unless another row is near."""
    rows = [index for index, line in enumerate(lines) if kinds[id(line)] == "cells"]
    for index in rows:
        line = lines[index]
        near = [
            other
            for other in lines[max(index - 3, 0) : index + 4]
            if other is not line
            and _same_column(other, line)
            and abs(other.y - line.y) < 3.2 * line.size
            and kinds[id(other)] == "cells"
        ]
        if not near and _cells(line) < 4:
            kinds[id(line)] = "text"
    for index in range(1, len(lines) - 1):
        above, line, below = lines[index - 1 : index + 2]
        if kinds[id(line)] == "text" and kinds[id(above)] == kinds[id(below)] == "cells":
            if _same_column(above, below) and above.y - below.y < 3.5 * line.size:
                kinds[id(line)] = "cells"


def _same_column(line: Line, other: Line) -> bool:
    return (line.page, line.column) == (other.page, other.column)


def _opens(
    above: Line | None,
    line: Line,
    kinds: Mapping[int, str],
    style: Style,
    *,
    references: bool,
    current: Block | None,
) -> str:
    """Tell whether a line opens a block: "" for no, "fresh" when it cannot go on with what stands above, or "apart"."""
    if above is None or current is None:
        return "fresh"
    if not _same_column(above, line):
        return "apart"
    kind, before = kinds[id(line)], kinds[id(above)]
    step = above.y - line.y
    usual = style.line_step(max(above.size, line.size))
    if kind == "caption":
        return "fresh"
    if before == "caption" or current.role == "caption":
        if kind in ("text", "cells") and 0 < step < 1.35 * usual and abs(line.size - above.size) < 0.06 * above.size:
            return ""
        return "fresh"
    if kind != before:
        return "apart"
    if kind in ("figure", "cells"):
        return "" if abs(step) < 3.5 * line.size else "fresh"
    if kind == "code":
        return "" if 0 < step < 1.5 * style.line_step(line.size) else "apart"
    if step <= 0 or step > 1.3 * usual or abs(line.size - above.size) > 0.07 * max(above.size, line.size):
        return "apart"
    return _opens_paragraph(above, line, style, references=references, current=current)


def _opens_paragraph(above: Line, line: Line, style: Style, *, references: bool, current: Block) -> str:
    left, right = style.edge(line)
    size = line.size
    if references:
        if _ENTRY.match(line.text):
            return "fresh"
        first = current.lines[0]
        hangs = any(other.x0 > first.x0 + 0.6 * size for other in current.lines[1:])
        return "fresh" if hangs and abs(line.x0 - first.x0) < 0.4 * size else ""
    if _ITEM.match(line.text) and not line.text.startswith(("-", "–")) and _item_is_new(above, line, current, right):
        return "fresh"
    indented = line.x0 - left
    if 0.7 * size < indented < 4 * size and line.x0 - above.x0 > 0.7 * size and not _ITEM.match(current.lines[0].text):
        return "fresh"
    if above.x1 < right - 2.5 * size and re.search(r"[.?!:。？！：”\"]$", above.text) and above.x0 < right - 8 * size:
        return "fresh"
    return ""


def _item_is_new(above: Line, line: Line, current: Block, right: float) -> bool:
    ended = above.x1 < right - 2 * line.size or re.search(r"[.;:,。；：]$", above.text) is not None
    return ended or _ITEM.match(current.lines[0].text) is not None and abs(line.x0 - current.lines[0].x0) < line.size


def _mark_footnotes(blocks: Sequence[Block], style: Style) -> None:
    """Call small text at the foot of a column a footnote."""
    small_from: dict[tuple[int, int], float] = {}
    for block in blocks:
        for line in block.lines:
            if block.role == "prose" and line.size > 0.95 * style.size:
                key = (line.page, line.column)
                small_from[key] = min(small_from.get(key, line.y), line.y)
    for block in blocks:
        if block.role != "prose" or not block.lines:
            continue
        first = block.lines[0]
        lowest = small_from.get((first.page, first.column))
        mark = _mark(first)
        if first.size > 0.95 * style.size or (lowest is not None and first.y > lowest) or (lowest is None and not mark):
            continue
        block.role, block.mark, block.floating = "footnote", mark, True


def _mark(line: Line) -> str:
    first = line.spans[0]
    match = _FOOTNOTE_MARK.match(first.text)
    if match and (line.is_raised(first) or not match.group().isdigit()):
        return match.group()
    return ""


def _merge_listings(blocks: Sequence[Block], style: Style) -> list[Block]:
    merged: list[Block] = []
    for block in blocks:
        last = merged[-1] if merged else None
        if last is not None and block.role == last.role == "listing":
            above, line = last.lines[-1], block.lines[0]
            near = 0 < above.y - line.y < 4.2 * style.line_step(line.size)
            if _same_column(above, line) and near and abs(above.size - line.size) < 0.3:
                last.lines.extend(block.lines)
                continue
        merged.append(block)
    return merged
