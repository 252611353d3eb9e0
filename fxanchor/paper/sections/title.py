"""The title of a paper: the largest lines of its first page."""

import re
from collections.abc import Sequence

from fxanchor.paper.page.lines import Line
from fxanchor.paper.page.style import Style, is_bold
from fxanchor.paper.sections.headings import NAMED, lower_small_capitals
from fxanchor.paper.words.repairs import readable

# Theses name their title on a form.
_FORM = re.compile(r"(?:论\s*文\s*)?题\s*目\s*[:：]\s*\S|Title\s*:\s*\S")
_FEWEST_WORDS, _MOST_LINES = 3, 5
# What the first section or chapter is numbered with.
_FIRST = re.compile(
    r"1(?:\.?\s+|\s*[|:]\s*)[^\W\d_]{3}|(?:Chapter|Section|Kapitel)\s+(?:1|I|One)\b|第\s*[一1]\s*[章节]|一\s*、",
    re.IGNORECASE,
)


def find_title(lines: Sequence[Line], style: Style) -> list[Line]:
    """Return the lines that hold the title: the largest of the first page, or bold ones that it opens with.

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
        return _bold_opening(upper, style)
    named = [line for line in upper if _FORM.match(line.text)]
    if named:
        return named[:1]
    first = next(line for line in upper if _height(line) > 0.97 * largest)
    found = [first]
    for line in upper[upper.index(first) + 1 :]:
        above = found[-1]
        alike = abs(_height(line) - _height(first)) < 0.06 * largest
        same_weight = is_bold(line.font) == is_bold(first.font)
        if len(found) < _MOST_LINES and alike and same_weight and 0 < above.y - line.y < 2.2 * largest:
            found.append(line)
        else:
            break
    for line in found:
        lower_small_capitals(line)
    return found


def _bold_opening(lines: Sequence[Line], style: Style) -> list[Line]:
    """Return the bold lines in the middle that a paper begins with, as when its title is as large as its text."""
    found: list[Line] = []
    for line in lines:
        left, right = style.edge(line)
        bold = all(is_bold(span.font.name) for span in line.spans if not span.font.math) and not is_bold(style.font)
        placed = abs(line.x0 - left - (right - line.x1)) < 2.5 * line.size and line.x0 - left > line.size
        near = not found or (0 < found[-1].y - line.y < 2.2 * line.size and found[-1].font == line.font)
        if not (bold and placed and near):
            break
        found.append(line)
    words = re.findall(r"[^\W\d_]{2,}", " ".join(line.text for line in found))
    return found if len(words) >= _FEWEST_WORDS and len(found) <= _MOST_LINES else []


def _is_heading(line: Line) -> bool:
    """Tell whether a line is the heading of a section, behind which no title comes."""
    text = readable(line.text).strip(" .:")
    return NAMED.fullmatch(text) is not None or _FIRST.match(text) is not None


def _height(line: Line) -> float:
    return max(span.size for span in line.spans)
