"""What each line is by itself and by its neighbours: text, code, caption, figure text, cells, formula, contents."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Literal

from fxanchor.paper.page.lines import WIDE, Line
from fxanchor.paper.page.style import Style, is_bold
from fxanchor.paper.parts.captions import CAPTION, is_caption, label_of
from fxanchor.paper.parts.cells import ITEM, count_cells, find_justified, same_column
from fxanchor.paper.parts.lettering import Lettering
from fxanchor.paper.parts.shapes import code_by_shape
from fxanchor.paper.parts.tables import Rows
from fxanchor.paper.sections.contents import contents_lines

Kind = Literal["text", "code", "caption", "figure", "cells", "formula", "contents"]

_WORDS = re.compile(r"[^\W\d_]{3,}")
_FRAGMENT = 12
# The number at the end of the line of an equation.
_NUMBERED = re.compile(r"\s\([A-Z]?\.?\d+(?:\.\d+)?[a-z]?\)$")
# The styles of the families that TeX sets text in; their names have no part in common.
_TEX_FAMILIES = dict.fromkeys(("CMTI", "CMSL", "CMBX", "CMBXTI", "CMB", "CMCSC"), "CMR") | dict.fromkeys(
    ("SFTI", "SFSL", "SFBX", "SFBI", "SFCC"), "SFRM"
)


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
    fonts = _text_fonts(lines, style)
    shaped = code_by_shape(lines, style)
    floats = _pages_with_floats(lines, references, style)
    listed = {id(line) for line in lines if line.page in floats and id(line) in references}
    contents = contents_lines(lines, style)
    kinds: dict[int, Kind] = {}
    for index, line in enumerate(lines):
        above = lines[index - 1] if index else None
        if above is not None and not same_column(above, line):
            above = None
        if id(line) in references and line.page not in floats:
            kinds[id(line)] = "text"
        elif index in contents:
            kinds[id(line)] = "contents"
        elif id(line) in shaped and not is_caption(line, above, style):
            kinds[id(line)] = "code"
        else:
            kinds[id(line)] = _kind(line, above, style, fonts, kinds)
    rows = [index for index, line in enumerate(lines) if kinds[id(line)] == "cells"]
    texts = {id(line) for line in lines if kinds[id(line)] in ("text", "caption")}
    justified = find_justified(lines, rows, style, texts)
    kinds.update(dict.fromkeys(justified, "text"))
    _settle_code(lines, kinds, style)
    lettering = Lettering(lines, kinds, style)
    lettering.settle_code()
    _settle_formulas(lines, kinds, style)
    Rows(lines, kinds, style).settle()
    lettering.settle_over_captions({*fixed, *justified})
    if listed:
        _settle_references(lines, kinds, listed, style)
    return kinds


def _pages_with_floats(lines: Sequence[Line], references: Collection[int], style: Style) -> set[int]:
    """Return the pages on which a caption stands in the reference list."""
    return {
        line.page
        for above, line in pairwise(lines)
        if id(line) in references and CAPTION.match(line.text) and is_caption(line, _over(above, line), style)
    }


def _over(above: Line, line: Line) -> Line | None:
    return above if same_column(above, line) else None


def _settle_references(lines: Sequence[Line], kinds: dict[int, Kind], listed: Collection[int], style: Style) -> None:
    """Call everything in a reference list text but the captions in it and what stands beside these."""
    kept: set[int] = set()
    for index, line in enumerate(lines):
        if id(line) not in listed or kinds[id(line)] != "caption" or not label_of(line):
            continue
        kept.add(id(line))
        above, first = index, index + 1
        while above and kinds[id(lines[above - 1])] != "text" and _is_beside(lines[above - 1], line):
            above -= 1
        while first < len(lines) and _goes_on(lines[first - 1], lines[first], kinds, style):
            first += 1
        end = first
        while end < len(lines) and kinds[id(lines[end])] != "text" and _is_beside(lines[end], line):
            end += 1
        kept.update(id(other) for other in (*lines[above:index], *lines[first:end]))
    kinds.update((id(line), "text") for line in lines if id(line) in listed and id(line) not in kept)


def _is_beside(line: Line, caption: Line) -> bool:
    return line.page == caption.page and caption.column in (line.column, WIDE)


def _goes_on(above: Line, line: Line, kinds: Mapping[int, Kind], style: Style) -> bool:
    """Tell whether a line is one of the further lines of a caption."""
    near = 0 < above.y - line.y < 1.35 * style.line_step(line.size) and abs(above.size - line.size) < 0.3
    return near and kinds[id(line)] == "text" and same_column(above, line)


def _kind(line: Line, above: Line | None, style: Style, fonts: Collection[str], kinds: dict[int, Kind]) -> Kind:
    if line.listed or (style.code and line.code >= 0.88):
        return "code"
    if is_caption(line, above, style):
        return "caption"
    if line.figure > 0.5 and style.forms:
        return "figure"
    if _is_formula(line, style):
        return "formula"
    if line.letters < 60 and not _share_of(line, fonts) and not line.math:
        runs_on = above is not None and above.font == line.font and kinds[id(above)] == "text"
        return "text" if runs_on else "figure"
    return "cells" if count_cells(line) >= 2 else "text"


@cache
def family(font: str) -> str:
    """Return the part of a font name that its styles share."""
    name = re.split(r"[-,]|\d|(?<=[a-z])(?:Bold|Ital|Obli)", font)[0]
    return _TEX_FAMILIES.get(name) or re.sub(r"(?<=[a-z])(?:(?:PS)?(?:MT)?|T[BZ]?I?)$", "", name)


def _text_fonts(lines: Sequence[Line], style: Style) -> set[str]:
    """Return the fonts of the families that hold a good part of the text; figures are often lettered in another."""
    counts: dict[str, int] = {style.font: 0}
    for line in lines:
        told = line.figure < 0.5 and abs(line.size - style.size) < 0.2 * style.size
        for span in line.spans:
            name = span.font.name
            counts[name] = counts.get(name, 0) + (len(span.text) if told else 0)
    families: Counter[str] = Counter()
    for name, count in counts.items():
        families[family(name)] += count
    least = 0.05 * families.total()
    return {name for name in counts if families[family(name)] > least or family(name) == family(style.font)}


def _share_of(line: Line, fonts: Collection[str]) -> bool:
    """Tell whether a good part of a line is set in one of the fonts of the running text."""
    return sum(len(span.text) for span in line.spans if span.font.name in fonts) > 0.2 * line.letters


def _is_formula(line: Line, style: Style) -> bool:
    words = sum(len(word) for word in _WORDS.findall(line.text))
    if line.math >= 0.3:
        return words < 0.45 * line.letters and line.letters < 90
    if line.math > 0 and _NUMBERED.search(line.text):
        # Some papers set the letters of formulas in the font of emphasized words.
        left, right = style.edge(line)
        words = sum(len(word) for span in line.spans for word in _WORDS.findall(span.text))
        return words < 0.3 * line.letters and line.x0 - left > 2 * line.size and abs(line.x1 - right) < line.size
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
        # A listing can follow the last line of the paragraph.
        last = index + 1
        while last < end and _is_next(lines[last - 1], lines[last], style):
            last += 1
        listed = any(line.listed for line in lines[index:last])
        if last - index <= 2 and prose and not listed and _runs_on(lines[index - 1], lines[index], style):
            for line in lines[index:last]:
                kinds[id(line)] = "text"
        index = end
    _fill_listed(lines, kinds)


def _fill_listed(lines: Sequence[Line], kinds: dict[int, Kind]) -> None:
    """Count the lines between two numbered lines, which go on with the upper one, into the listing."""
    listed = [index for index, line in enumerate(lines) if line.listed]
    for first, last in pairwise(listed):
        goes_on = lines[first].ordinal < lines[last].ordinal
        if goes_on and last - first <= 5 and same_column(lines[first], lines[last]):
            step = max(lines[first].y - lines[last].y, 0) / (last - first)
            if step < 2.2 * lines[first].size:
                for line in lines[first:last]:
                    kinds[id(line)] = "code"


def _is_next(above: Line, line: Line, style: Style) -> bool:
    """Tell whether a line of code follows another one as closely, and set as large, as the lines of one listing."""
    return above.y - line.y < 1.15 * style.line_step(above.size) and abs(above.size - line.size) < 0.3


def _runs_on(above: Line, line: Line, style: Style) -> bool:
    left, right = style.edge(above)
    size = above.size
    item = ITEM.match(above.text) is not None or has_label(above, style)
    hangs = item and 0 < line.x0 - above.x0 < 4 * size
    # What is too long for the rest of a line leaves it short.
    word = first_word(line) + 0.2 * size if max(count_cells(above), count_cells(line)) < 2 else 0.0
    return (
        same_column(above, line)
        and 0 < above.y - line.y < 1.15 * style.line_step(size)
        and (min(abs(line.x0 - left), abs(line.x0 - above.x0)) < 0.6 * size or hangs)
        and above.x1 > right - max(4 * size, word)
        and not re.search(r"(?<!http)(?<!https):$", above.text.rstrip())
    )


def first_word(line: Line) -> float:
    """Return how wide the first word of a line is."""
    end = next((at for at, blanks in enumerate(line.gaps) if blanks), len(line.gaps))
    return line.spans[end].x1 - line.x0


def has_label(line: Line, style: Style) -> bool:
    """Tell whether a line begins in bold and goes on otherwise, as a description does."""
    start, end = line.spans[0].font.name, line.spans[-1].font.name
    return start not in (style.font, end) and is_bold(start) and not is_bold(end)


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
