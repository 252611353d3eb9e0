"""The title of a paper: the largest lines of its first page."""

import re
from collections.abc import Sequence

from fxanchor.paper.headings import NAMED, lower_small_capitals
from fxanchor.paper.lines import Line
from fxanchor.paper.repairs import readable
from fxanchor.paper.style import Style, is_bold

# Theses name their title on a form.
_FORM = re.compile(r"(?:论\s*文\s*)?题\s*目\s*[:：]\s*\S|Title\s*:\s*\S")
# What the first section or chapter is numbered with.
_FIRST = re.compile(
    r"1(?:\.?\s+|\s*[|:]\s*)[^\W\d_]{3}|(?:Chapter|Section|Kapitel)\s+(?:1|I|One)\b|第\s*[一1]\s*[章节]|一\s*、",
    re.IGNORECASE,
)


def find_title(lines: Sequence[Line], style: Style) -> list[Line]:
    """Return the lines that hold the title, or none when nothing on the first page is larger than its text.

    Args:
        lines: The body lines of the first page in reading order.
        style: What is usual in the paper.
    """
    upper = []
    for line in lines:
        if _is_heading(line):
            break
        if line.figure < 0.5 and re.search(r"[^\W\d_]{2}", line.text):
            upper.append(line)
    if not upper:
        return []
    largest = max(_height(line) for line in upper)
    if largest < 1.1 * style.size:
        return []
    named = [line for line in upper if _FORM.match(line.text)]
    if named:
        return named[:1]
    first = next(line for line in upper if _height(line) > 0.97 * largest)
    found = [first]
    for line in upper[upper.index(first) + 1 :]:
        above = found[-1]
        alike = abs(_height(line) - _height(first)) < 0.06 * largest
        same_weight = is_bold(line.font) == is_bold(first.font)
        if len(found) < 5 and alike and same_weight and 0 < above.y - line.y < 2.2 * largest:
            found.append(line)
        else:
            break
    for line in found:
        lower_small_capitals(line)
    return found


def _is_heading(line: Line) -> bool:
    """Tell whether a line is the heading of a section, behind which no title comes."""
    text = readable(line.text).strip(" .:")
    return NAMED.fullmatch(text) is not None or _FIRST.match(text) is not None


def _height(line: Line) -> float:
    return max(span.size for span in line.spans)
