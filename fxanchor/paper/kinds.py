"""What each line is by itself and by its neighbours: text, code, caption, figure text, cells, formula, contents."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from itertools import pairwise
from typing import Literal

from fxanchor.paper.cells import ITEM, count_cells, find_justified, same_column
from fxanchor.paper.contents import LEADERS
from fxanchor.paper.lines import WIDE, Line
from fxanchor.paper.shapes import code_by_shape
from fxanchor.paper.style import Style, is_bold

Kind = Literal["text", "code", "caption", "figure", "cells", "formula", "contents"]

CAPTION = re.compile(
    r"(?P<kind>fig(?:ure|\.)?|table|tab\.|listing|algorithm|code|program|图|表|代码|算法|清单)\s*"
    r"(?P<number>[A-Z]?\.?\d+(?:[.\-–]\d+)*|[IVX]+(?![a-z]))\s*(?P<mark>[.:|：—–-]|$)?",
    re.IGNORECASE,
)
_SUBCAPTION = re.compile(r"\([a-z]\)(?:\s|$)")
_WORDS = re.compile(r"[^\W\d_]{3,}")
_FRAGMENT = 12
# Less than so many lines in code font are words of a figure, when they stand in one.
_SHORTEST_LISTING = 3


def line_kinds(
    lines: Sequence[Line], style: Style, references: Collection[int], fixed: Collection[int] = ()
) -> dict[int, Kind]:
    """Tell what each line is.

    Args:
        lines: The body lines of a paper in reading order.
        style: What is usual in the paper.
        references: The ids of the lines that stand in the reference list, which holds running text only.
        fixed: The ids of the lines of titles and headings, which are no part of what stands beside them.

    Returns:
        The kind by the id of the line.
    """
    families = _families(lines, style)
    shaped = set() if style.code else code_by_shape(lines, style)
    kinds: dict[int, Kind] = {}
    for index, line in enumerate(lines):
        above = lines[index - 1] if index else None
        if above is not None and not same_column(above, line):
            above = None
        if id(line) in references:
            kinds[id(line)] = "text"
        elif id(line) in shaped and not _is_caption(line, above, style):
            kinds[id(line)] = "code"
        else:
            kinds[id(line)] = _kind(line, above, style, families, kinds)
    rows = [index for index, line in enumerate(lines) if kinds[id(line)] == "cells"]
    justified = find_justified(lines, rows, style)
    kinds.update(dict.fromkeys(justified, "text"))
    _settle_code(lines, kinds, style)
    _settle_figures(lines, kinds, style)
    _settle_formulas(lines, kinds, style)
    _settle_cells(lines, kinds)
    _settle_over_captions(lines, kinds, style, {*fixed, *justified})
    return kinds


def _settle_over_captions(lines: Sequence[Line], kinds: dict[int, Kind], style: Style, fixed: Collection[int]) -> None:
    """Call the loose words over the caption of a figure its lettering."""
    for index, line in enumerate(lines):
        match = CAPTION.match(line.text) if kinds[id(line)] == "caption" else None
        if match is None or not match["kind"].lower().startswith(("fig", "图")):
            continue
        first = index
        while first and _is_loose(first - 1, lines, kinds, style, fixed):
            above = lines[first - 1]
            # Under a drawing over both columns, words of either stand above.
            crossing = line.column == WIDE and not same_column(above, lines[first]) and above.y > line.y
            rise = above.y - lines[first].y
            if above.page != line.page or not (crossing or -1 < rise < 8 * style.size):
                break
            first -= 1
        # One line alone is the last of a paragraph as likely as a label.
        if index - first > 1 or (first < index and count_cells(lines[first]) > 1):
            for above in lines[first:index]:
                kinds[id(above)] = "figure"


def _is_loose(index: int, lines: Sequence[Line], kinds: dict[int, Kind], style: Style, fixed: Collection[int]) -> bool:
    """Tell whether a line is no part of a heading, a paragraph or a listing."""
    line = lines[index]
    kind = kinds[id(line)]
    if id(line) in fixed or line.listed or ITEM.match(line.text):
        return False
    if kind == "code":
        return _run_of_code(index, lines, kinds) < _SHORTEST_LISTING
    if kind != "text":
        return kind in ("figure", "formula", "cells")
    left, right = style.edge(line)
    if line.x1 - line.x0 > 0.6 * (right - left) and count_cells(line) < 2:
        return False
    for other in (*lines[max(index - 1, 0) : index], *lines[index + 1 : index + 2]):
        near = abs(other.y - line.y) < 1.2 * style.line_step(line.size) and abs(other.size - line.size) < 0.3
        solid = kinds[id(other)] == "text" and other.x1 - other.x0 > 0.6 * (right - left)
        if same_column(line, other) and near and solid and abs(other.x0 - line.x0) < 6 * line.size:
            return False
    return True


def _run_of_code(index: int, lines: Sequence[Line], kinds: dict[int, Kind]) -> int:
    """Count the lines of code around one, up to as many as make a listing."""
    count = 1
    for step in (-1, 1):
        at = index + step
        while 0 <= at < len(lines) and count < _SHORTEST_LISTING:
            near = abs(lines[at].y - lines[at - step].y) < 4 * lines[index].size
            if kinds[id(lines[at])] != "code" or not near or not same_column(lines[at], lines[index]):
                break
            count += 1
            at += step
    return count


def _kind(line: Line, above: Line | None, style: Style, families: Collection[str], kinds: dict[int, Kind]) -> Kind:
    if LEADERS.search(line.text):
        return "contents"
    if line.listed or (style.code and line.code >= 0.88):
        return "code"
    if _is_caption(line, above, style):
        return "caption"
    if line.figure > 0.5 and style.forms:
        return "figure"
    if _is_formula(line):
        return "formula"
    if line.letters < 60 and not _share_of(line, families) and not line.math:
        runs_on = above is not None and above.font == line.font and kinds[id(above)] == "text"
        return "text" if runs_on else "figure"
    return "cells" if count_cells(line) >= 2 else "text"


@cache
def family(font: str) -> str:
    """Return the part of a font name that its styles share."""
    return re.split(r"[-,]|\d|(?<=[a-z])(?:Bold|Ital|Obli)", font)[0]


def _families(lines: Sequence[Line], style: Style) -> set[str]:
    """Return the families that hold a good part of the running text; figures are often lettered in another."""
    counts: Counter[str] = Counter()
    for line in lines:
        if line.figure < 0.5 and abs(line.size - style.size) < 0.2 * style.size:
            for span in line.spans:
                counts[family(span.font.name)] += len(span.text)
    return {name for name, count in counts.items() if count > 0.05 * counts.total()} | {family(style.font)}


def _share_of(line: Line, families: Collection[str]) -> bool:
    """Tell whether a good part of a line is set in one of the families of the running text."""
    letters = sum(len(span.text) for span in line.spans if family(span.font.name) in families)
    return letters > 0.2 * line.letters


def _is_caption(line: Line, above: Line | None, style: Style) -> bool:
    match = CAPTION.match(line.text)
    left, _ = style.edge(line)
    if match is None:
        if not _SUBCAPTION.match(line.text):
            return False
        several = len(re.findall(r"(?:^|\s)\([a-z]\)(?=\s|$)", line.text)) > 1
        smaller = line.size < 0.97 * style.size
        return line.letters < 60 and (smaller or (several and count_cells(line) > 1) or line.x0 - left > 3 * line.size)
    apart = above is None or above.y - line.y > 1.2 * style.line_step(line.size)
    smaller = abs(line.size - style.size) > 0.03 * style.size
    bold = is_bold(line.spans[0].font.name) and line.spans[0].font.name != style.font
    return bool(match["mark"] or bold or smaller) and (apart or smaller or bold)


def _is_formula(line: Line) -> bool:
    words = sum(len(word) for word in _WORDS.findall(line.text))
    if line.math >= 0.3:
        return words < 0.45 * line.letters and line.letters < 90
    return line.math > 0 and line.letters <= _FRAGMENT and words == 0


def _settle_code(lines: Sequence[Line], kinds: dict[int, Kind], style: Style) -> None:
    """Call lines of a paragraph that hold nothing but code text, and lines inside a numbered listing code."""
    index = 0
    while index < len(lines):
        if kinds[id(lines[index])] != "code":
            index += 1
            continue
        end = index
        while end < len(lines) and kinds[id(lines[end])] == "code" and same_column(lines[index], lines[end]):
            end += 1
        prose = index > 0 and kinds[id(lines[index - 1])] in ("text", "caption")
        listed = any(line.listed for line in lines[index:end])
        if end - index <= 2 and prose and not listed and _runs_on(lines[index - 1], lines[index], style):
            for line in lines[index:end]:
                kinds[id(line)] = "text"
        index = end
    _fill_listed(lines, kinds)


def _fill_listed(lines: Sequence[Line], kinds: dict[int, Kind]) -> None:
    """Count the lines between two numbered lines, which go on with the upper one, into the listing."""
    listed = [index for index, line in enumerate(lines) if line.listed]
    for first, last in pairwise(listed):
        if last - first <= 5 and same_column(lines[first], lines[last]):
            step = max(lines[first].y - lines[last].y, 0) / (last - first)
            if step < 2.2 * lines[first].size:
                for line in lines[first:last]:
                    kinds[id(line)] = "code"


def _runs_on(above: Line, line: Line, style: Style) -> bool:
    left, right = style.edge(above)
    size = above.size
    hangs = ITEM.match(above.text) is not None and 0 < line.x0 - above.x0 < 4 * size
    return (
        same_column(above, line)
        and 0 < above.y - line.y < 1.15 * style.line_step(size)
        and (min(abs(line.x0 - left), abs(line.x0 - above.x0)) < 0.6 * size or hangs)
        and above.x1 > right - 4 * size
        and not above.text.rstrip().endswith(":")
    )


def _settle_figures(lines: Sequence[Line], kinds: dict[int, Kind], style: Style) -> None:
    """Call a few words in code font among figure text figure text."""
    for index, line in enumerate(lines):
        if kinds[id(line)] != "code" or line.listed or not (line.figure > 0.5 and style.forms):
            continue
        near = [
            other for other in lines[max(index - 2, 0) : index + 3] if same_column(other, line) and other is not line
        ]
        if sum(kinds[id(other)] == "figure" for other in near) >= 2:
            kinds[id(line)] = "figure"


def _settle_formulas(lines: Sequence[Line], kinds: dict[int, Kind], style: Style) -> None:
    """Count the limits, fraction parts and brackets around a formula into it."""
    for _ in range(2):
        for index, line in enumerate(lines):
            if kinds[id(line)] != "text" or line.letters > _FRAGMENT or _WORDS.search(line.text):
                continue
            left, _right = style.edge(line)
            near = [other for other in lines[max(index - 1, 0) : index + 2] if other is not line]
            if line.x0 - left > line.size and any(
                kinds[id(other)] == "formula" and same_column(other, line) and abs(other.y - line.y) < 2 * style.size
                for other in near
            ):
                kinds[id(line)] = "formula"


def _settle_cells(lines: Sequence[Line], kinds: dict[int, Kind]) -> None:
    """A row of cells alone is no table: a line with a wide gap is text, unless another row is near."""
    rows = [index for index, line in enumerate(lines) if kinds[id(line)] == "cells"]
    for index in rows:
        line = lines[index]
        near = [
            other
            for other in lines[max(index - 3, 0) : index + 4]
            if other is not line
            and same_column(other, line)
            and abs(other.y - line.y) < 3.2 * line.size
            and kinds[id(other)] == "cells"
        ]
        if not near and count_cells(line) < 4:
            kinds[id(line)] = "text"
    for index in range(1, len(lines) - 1):
        above, line, below = lines[index - 1 : index + 2]
        inside = kinds[id(line)] == "text" and kinds[id(above)] == kinds[id(below)] == "cells"
        if inside and same_column(above, below) and above.y - below.y < 3.5 * line.size:
            kinds[id(line)] = "cells"
