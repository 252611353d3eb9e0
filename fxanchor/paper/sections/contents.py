"""Tables of contents: their lines name sections without being their headings."""

import re
from collections.abc import Sequence

from fxanchor.paper.page.lines import Line
from fxanchor.paper.page.style import Style
from fxanchor.paper.words.repairs import readable

_LEADERS = re.compile(r"(?:\.\s?){5,}|…{2,}|(?:·\s?){5,}")
_CONTENTS = re.compile(
    r"(?:table of )?contents|list of (?:figures|tables|listings|algorithms)|inhalt(?:sverzeichnis)?|table des matières"
    r"|índice|目\s*录",
    re.IGNORECASE,
)
# One of these is in every row of dots.
_DOTS = ("...", ". .", "…", "·")
_PAGE = re.compile(r"\d{1,4}|[ivxlc]{1,7}")
# A title in a table of contents goes over so many lines before its page number, or as many headings stand between.
_FURTHEST = 3
# Of the font size: the gap before a page number at the right edge.
_GAP = 0.9


def contents_lines(lines: Sequence[Line], style: Style) -> set[int]:
    """Return the indices of the lines that stand in a table of contents, with leaders or without.

    Args:
        lines: The body lines of a paper in reading order.
        style: What is usual in the paper.
    """
    found: set[int] = set()
    last: int | None = None
    for index, line in enumerate(lines):
        if last is not None and index - last > _FURTHEST:
            last = None
        if has_leaders(line.text):
            found.add(index)
            last = index if last is not None else None
        elif len(line.text) < 30 and _CONTENTS.fullmatch(readable(line.text).strip(" .:")):
            last = index
        elif last is not None and _ends_in_page(line, style):
            found.update(range(last + 1, index + 1))
            last = index
    return found


def has_leaders(text: str) -> bool:
    """Tell whether a row of dots leads to something at the end of a line."""
    return any(dots in text for dots in _DOTS) and _LEADERS.search(text) is not None


def _ends_in_page(line: Line, style: Style) -> bool:
    if len(line.spans) < 2 or not _PAGE.fullmatch(line.spans[-1].text):
        return False
    title, page = line.spans[-2:]
    right = style.edge(line)[1]
    return page.x0 - title.x1 > _GAP * line.size and page.x1 > right - 3 * line.size
