"""Lines that look like code: for papers that set code in no font of its own kind."""

import re
from collections.abc import Sequence
from itertools import pairwise

from fxanchor.paper.lines import Line
from fxanchor.paper.repairs import is_ideograph
from fxanchor.paper.style import Style

_CODE = re.compile(
    r"(?:async\s+)?(?:def|class)\s+\w+\s*(?:\(.*|:)$"
    r"|from\s+[\w.]+\s+import\s.+|import\s+[\w.]+(?:\s+as\s+\w+)?(?:\s*,.*)?$"
    r"|(?:if|elif|for|while|with|except)\b.*[\w)\]'\"]\s*:$|(?:else|try|finally)\s*:$"
    r"|(?:return|yield|raise|assert|del|print)\b.*[()\[\]=_.'\"].*"
    r"|[\w.\[\]'\"]+(?:\s*,\s*[\w.]+)*\s*[-+*/|&]?=\s*\S.*"
    r"|[\w.]+\(.*\)?[;,]?$|@[\w.]+(?:\(.*\))?$|</?\w[^>]*>.*|[\])}]+[,;]?$|#\s*\S.*|['\"][\w-]+['\"]\s*:.*"
)
_ITEM = re.compile("[•●■▪➢◦]")
# So many lines apart, two lines of code can still belong to one listing: what a long call is continued on.
_LONGEST_GAP = 2


def code_by_shape(lines: Sequence[Line], style: Style) -> set[int]:
    """Find the lines that read as code and are set in another font than the running text.

    Args:
        lines: The body lines of a paper in reading order.
        style: What is usual in the paper.

    Returns:
        The ids of the lines: those with the shape of code, and those among them in the same font.
    """
    shaped = [reads_as_code(line) for line in lines]
    found = {
        id(line) for line, is_shaped in zip(lines, shaped, strict=True) if is_shaped and not _in_text_font(line, style)
    }
    for step in (1, -1):
        order = list(lines)[::step]
        for before, line in pairwise(order):
            alike = before.spans[0].font is line.spans[0].font and abs(before.size - line.size) < 0.3
            if id(before) in found and alike and _is_near(before, line) and not _in_text_font(line, style):
                found.add(id(line))
    return found | _runs_in_text_font(lines, shaped)


def reads_as_code(line: Line) -> bool:
    """Tell whether a line has the shape of a statement, a comment or a part of one."""
    return _CODE.match(line.text) is not None and not _is_ideographic(line)


def _runs_in_text_font(lines: Sequence[Line], shaped: Sequence[bool]) -> set[int]:
    """Find code in the very font of the text: lines in a row that have the shape of code, and what stands between."""
    found: set[int] = set()
    last: int | None = None
    for index, is_shaped in enumerate(shaped):
        if not is_shaped:
            continue
        if last is not None and index - last <= _LONGEST_GAP:
            between = range(last, index + 1)
            together = all(_is_near(one, two) for one, two in pairwise(lines[at] for at in between))
            if together and not any(_is_ideographic(lines[at]) or _ITEM.match(lines[at].text) for at in between):
                found.update(id(lines[at]) for at in between)
        last = index
    return found


def _is_near(line: Line, other: Line) -> bool:
    return (line.page, line.column) == (other.page, other.column) and abs(line.y - other.y) < 2.2 * line.size


def _in_text_font(line: Line, style: Style) -> bool:
    return line.spans[0].font.name == style.font or line.font == style.font or _is_ideographic(line)


def _is_ideographic(line: Line) -> bool:
    """Tell whether a line is mainly in Chinese characters and no comment."""
    return not line.text.startswith("#") and sum(map(is_ideograph, line.text)) > 0.5 * line.letters
