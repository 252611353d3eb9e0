"""Lines that begin the caption of a figure, a table, a listing or an algorithm."""

import re

from fxanchor.paper.page.lines import Line
from fxanchor.paper.page.style import Style, is_bold
from fxanchor.paper.parts.cells import count_cells

CAPTION = re.compile(
    r"(?P<kind>fig(?:ure|\.)?|table|tab\.|listing|algorithm|code|program|图|表|代码|算法|清单)\s*"
    r"(?P<number>[A-Z]?\.?\d+(?:[.\-–]\d+)*|[IVX]+(?![a-z]))\s*(?P<mark>[.:|：—–-]|$)?",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\s*[-−+]?\d")
SUBCAPTION = re.compile(r"\([a-z]\)(?:\s|$)")
_NAMES = {"fig": "Figure", "tab": "Table", "lis": "Listing", "alg": "Algorithm", "cod": "Code", "pro": "Program"}


def is_caption(line: Line, above: Line | None, style: Style) -> bool:
    """Tell whether a line begins a caption: by its words, and by standing apart or being set otherwise than text.

    Args:
        line: The line.
        above: The line above it in its column, or None.
        style: What is usual in the paper.
    """
    match = CAPTION.match(line.text)
    left, _ = style.edge(line)
    if match is None:
        if not SUBCAPTION.match(line.text):
            return False
        several = len(re.findall(r"(?:^|\s)\([a-z]\)(?=\s|$)", line.text)) > 1
        smaller = line.size < 0.97 * style.size
        return line.letters < 60 and (smaller or (several and count_cells(line) > 1) or line.x0 - left > 3 * line.size)
    beside = above is not None and (above.x1 < line.x0 or above.x0 > line.x1 or above.y < line.y)
    apart = above is None or beside or above.y - line.y > 1.2 * style.line_step(line.size)
    smaller = abs(line.size - style.size) > 0.03 * style.size
    if not match["mark"] and _FIGURE.match(line.text, match.end()):
        # The row of a table can begin with such a word.
        return False
    bold = is_bold(line.spans[0].font.name) and line.spans[0].font.name != style.font
    return bool(match["mark"] or bold or smaller) and (apart or smaller or bold)


def label_of(line: Line) -> str:
    """Return what a caption is called by, such as `Figure 3`; "" for the part of one."""
    match = CAPTION.match(line.text)
    if match is None:
        return ""
    kind = match["kind"]
    return f"{_NAMES.get(kind[:3].lower(), kind)} {match['number']}"
