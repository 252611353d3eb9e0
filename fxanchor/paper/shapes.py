"""Lines that look like code: for papers that set code in no font of its own kind."""

import re
from collections.abc import Sequence
from itertools import pairwise

from fxanchor.paper.lines import Line
from fxanchor.paper.style import Style

_CODE = re.compile(
    r"(?:async\s+)?(?:def|class)\s+\w+\s*(?:\(.*|:)$"
    r"|from\s+[\w.]+\s+import\s.+|import\s+[\w.]+(?:\s+as\s+\w+)?(?:\s*,.*)?$"
    r"|(?:if|elif|for|while|with|except)\b.*[\w)\]'\"]\s*:$|(?:else|try|finally)\s*:$"
    r"|(?:return|yield|raise|assert|del|print)\b.*[()\[\]=_.'\"].*"
    r"|[\w.\[\]'\"]+(?:\s*,\s*[\w.]+)*\s*[-+*/|&]?=\s*\S.*"
    r"|[\w.]+\(.*\)?[;,]?$|@[\w.]+(?:\(.*\))?$|</?\w[^>]*>.*|[\])}]+[,;]?$|#\s*\S.*|['\"][\w-]+['\"]\s*:.*"
)
_IDEOGRAPH = re.compile("[\u4e00-\u9fff]")


def code_by_shape(lines: Sequence[Line], style: Style) -> set[int]:
    """Find the lines that read as code and are set in another font than the running text.

    Args:
        lines: The body lines of a paper in reading order.
        style: What is usual in the paper.

    Returns:
        The ids of the lines: those with the shape of code, and those among them in the same font.
    """
    strong = {
        id(line) for line in lines if line.font != style.font and _CODE.match(line.text) and not _is_prose(line, style)
    }
    found = set(strong)
    for step in (1, -1):
        order = list(lines)[::step]
        for before, line in pairwise(order):
            near = (before.page, before.column) == (line.page, line.column) and abs(before.y - line.y) < 2.2 * line.size
            alike = before.spans[0].font is line.spans[0].font and abs(before.size - line.size) < 0.3
            if id(before) in found and near and alike and not _is_prose(line, style):
                found.add(id(line))
    return found


def _is_prose(line: Line, style: Style) -> bool:
    return line.spans[0].font.name == style.font or len(_IDEOGRAPH.findall(line.text)) > 0.5 * line.letters
