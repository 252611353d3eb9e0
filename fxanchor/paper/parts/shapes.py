"""Lines that look like code: for papers and listings that are set in no code font."""

import re
from collections.abc import Sequence
from itertools import pairwise

from fxanchor.paper.page.lines import Line
from fxanchor.paper.page.style import Style
from fxanchor.paper.words.repairs import is_ideograph, straight

_CODE = re.compile(
    r"(?:async\s+)?(?:def|class)\s+\w+\s*(?:\(.*|:)$"
    r"|from\s+[\w.]+\s+import\s.+|import\s+[\w.]+(?:\s+as\s+\w+)?(?:\s*,.*)?$"
    r"|(?:if|elif|for|while|with|except)\b.*[\w)\]'\"]\s*:$|(?:else|try|finally)\s*:$"
    r"|(?:return|yield|raise|assert|del|print)\b.*[()\[\]=_.'\"].*"
    r"|[\w.\[\]'\"]+(?:\s*,\s*[\w.]+)*\s*[-+*/|&]?=\s*\S.*"
    r"|[\w.]+\(.*\)?[;,]?$|@[\w.]+(?:\(.*\))?$|</?\w[^>]*>.*|[\])}]+[,;]?$|#\s*\S.*|['\"][\w-]+['\"]\s*:.*"
    r"|[rbuf]?(?:\"{3}|'{3}).*|return\s+\w+$|(?:return|break|continue|pass)$"
)
# What no sentence and no formula looks like.
_STATEMENT = re.compile(
    r"(?:async\s+)?def\s+\w+\s*\(.*|class\s+\w+\s*(?:\(.*\))?:$"
    r"|import\s+[\w.]+(?:\s+as\s+\w+)?$|from\s+[\w.]+\s+import\s.+"
    r"|(?:(?:el)?if|while)\s.*[\w)\]'\"]\s*:$|for\s+[\w,\s()]+\sin\s.*:$|(?:else|try|finally)\s*:$"
    r"|return\s+[\w.\s]+[(\[].*|@[\w.]+$"
)
# Blanks that some packages put into a line to keep its columns, where nobody types one.
_LOOSE_BLANK = re.compile(r"(?<!from)(?<!import)\s+(?=[.,:)\]])|(?<=[(\[.])\s+")
_ITEM = re.compile("[•●■▪➢◦]")
# So many lines apart, two lines of code can still belong to one listing: what a long call is continued on.
_LONGEST_GAP = 2
_SHORTEST = 3
# Letters of the longest line that is matched, and lines around a statement that are.
_LONGEST = 300
_FAR = 40
# Of the font size: how far lines are apart that follow each other, and those with an empty one or two between.
_STEP = 2.2
_EMPTY_LINE = 4.0
# Share of letters in code font from which on the font tells what a line is.
_MONO = 0.5


def code_by_shape(lines: Sequence[Line], style: Style) -> set[int]:
    """Find the lines that read as code and are set in no code font.

    Args:
        lines: The body lines of a paper in reading order.
        style: What is usual in the paper.

    Returns:
        The ids of the lines. In a paper that has a code font they stand in listings that nobody could take for
        text; in any other paper they are those with the shape of code, and those among them in the same font.
    """
    if style.code:
        near = _near_statements(lines)
        shaped = [bool(near[at]) and line.code < _MONO and reads_as_code(line) for at, line in enumerate(lines)]
        listings = [run for run in _runs(lines, shaped, _EMPTY_LINE) if _is_listing(run, lines, shaped, style)]
        return {id(lines[at]) for run in listings for at in run}
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
    return found | {id(lines[at]) for run in _runs(lines, shaped, _STEP) for at in run}


def reads_as_code(line: Line) -> bool:
    """Tell whether a line has the shape of a statement, a comment or a part of one."""
    return line.letters < _LONGEST and _CODE.match(_typed(line)) is not None and not _is_ideographic(line)


def _typed(line: Line) -> str:
    return _LOOSE_BLANK.sub("", straight(line.text))


def _near_statements(lines: Sequence[Line]) -> bytearray:
    """Mark the lines around two statements that are not far from each other."""
    found = [
        at
        for at, line in enumerate(lines)
        if line.code < _MONO and line.letters < _LONGEST and _STATEMENT.match(line.text)
    ]
    near = bytearray(len(lines))
    for first, second in pairwise(found):
        if second - first < _FAR:
            start, end = max(first - _FAR, 0), min(second + _FAR, len(lines))
            near[start:end] = bytes([1]) * (end - start)
    return near


def _runs(lines: Sequence[Line], shaped: Sequence[bool], reach: float) -> list[range]:
    """Find code in the very font of the text: lines in a row that have the shape of code, and what stands between."""
    runs: list[range] = []
    last: int | None = None
    for index, is_shaped in enumerate(shaped):
        if not is_shaped:
            continue
        if last is not None and index - last <= _LONGEST_GAP:
            between = [lines[at] for at in range(last, index + 1)]
            together = all(_is_near(one, two, reach) for one, two in pairwise(between))
            if together and not any(_is_ideographic(line) or _ITEM.match(line.text) for line in between):
                if runs and runs[-1].stop > last:
                    last = runs.pop().start
                runs.append(range(last, index + 1))
        last = index
    return runs


def _is_listing(run: range, among: Sequence[Line], shaped: Sequence[bool], style: Style) -> bool:
    """Tell a listing in a text font by its statements and by its lines, which end anywhere."""
    lines = [among[at] for at in run]
    statements = sum(_STATEMENT.match(line.text) is not None for line in lines)
    full = sum(line.x1 > style.edge(line)[1] - line.size for line in lines)
    drawn = any(line.figure > 0.5 for line in lines) and style.forms
    return (
        len(lines) >= _SHORTEST
        and not drawn
        and statements > 1
        and 2 * sum(shaped[at] for at in run) > len(lines)
        and 4 * full <= len(lines)
        and max(line.code for line in lines) < _MONO
    )


def _is_near(line: Line, other: Line, reach: float = _STEP) -> bool:
    return (line.page, line.column) == (other.page, other.column) and abs(line.y - other.y) < reach * line.size


def _in_text_font(line: Line, style: Style) -> bool:
    return line.spans[0].font.name == style.font or line.font == style.font or _is_ideographic(line)


def _is_ideographic(line: Line) -> bool:
    """Tell whether a line is mainly in Chinese characters and no comment."""
    return not line.text.startswith("#") and sum(map(is_ideograph, line.text)) > 0.5 * line.letters
