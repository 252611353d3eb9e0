"""Parts of a line that wide gaps set apart: the cells of a row, told from the words of a justified line."""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from fxanchor.paper.page.lines import Line
from fxanchor.paper.page.style import Style
from fxanchor.paper.pdf.spans import Span

ITEM = re.compile(r"(?:[•◦‣▪●■➢∙·–*-]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])(?:\s|$)")
# Where a gap begins and where it ends.
Gap = tuple[float, float]
# Of the font size: a gap from which on two words can stand in two cells, and where another row shows that they do.
_WIDE_GAP, _CLOSE = 1.15, 0.6
# Of the font size: no blank of a justified line is as wide as that, when the line has no other.
_WIDEST_BLANK = 4.0
# How far from each other the blanks of a justified line can be, as factors: behind punctuation TeX makes more room.
_EVEN, _EVEN_BEHIND_PUNCTUATION = 1.6, 3.0
# How many lines off another row of the same table is looked for.
_NEAR = 3


def same_column(line: Line, other: Line) -> bool:
    """Tell whether two lines stand in one column of one page."""
    return (line.page, line.column) == (other.page, other.column)


def count_cells(line: Line) -> int:
    """Count the parts of a line that wide gaps set apart; the gap behind the mark of a list item does not count."""
    return 1 + len(_wide_gaps(line))


def cell_starts(line: Line) -> list[float]:
    """Return where the cells of a row begin."""
    return [line.x0, *(end for _, end in _wide_gaps(line))]


def _wide_gaps(line: Line) -> list[Gap]:
    spans = line.spans
    start = 1 if len(spans) > 1 and ITEM.fullmatch(spans[0].text + " ") else 0
    least = _WIDE_GAP * line.size
    return [(left.x1, right.x0) for left, right in pairwise(spans[start:]) if right.x0 - left.x1 > least]


def find_justified(lines: Sequence[Line], rows: Sequence[int], style: Style, texts: Collection[int]) -> set[int]:
    """Find the lines whose gaps are wide because a column is narrow and no word could be broken.

    Such a line reaches both edges of its column, or both ends of a line of text above or below it; its blanks are
    about equal, and they do not stand over or under those of another row, as the gaps between the columns of a table
    do. Most of the lines with wide gaps that follow each other must be like that.

    Args:
        lines: The body lines of a paper in reading order.
        rows: Where among them are lines with gaps that are wide.
        style: What is usual in the paper.
        texts: The ids of the lines of text and of captions.

    Returns:
        The ids of the lines.
    """
    found: set[int] = set()
    for run in _runs(lines, rows, style):
        alike: dict[int, None] = {}
        for at, index in enumerate(run):
            line = lines[index]
            beside = [
                other
                for place in (index - 1, index + 1)
                if (other := _beside(lines, place, line, style)) is not None and (id(other) in texts or place in alike)
            ]
            near = [lines[other] for other in run[max(at - _NEAR, 0) : at + _NEAR + 1] if other != index]
            if _is_even(line) and _is_flush(line, beside, style) and not any(_is_aligned(line, one) for one in near):
                alike[index] = None
        if len(alike) > 0.6 * len(run):
            found.update(id(lines[index]) for index in alike)
    return found


def _runs(lines: Sequence[Line], rows: Sequence[int], style: Style) -> list[list[int]]:
    """Return the rows that follow each other directly, run by run."""
    runs: list[list[int]] = []
    for index in rows:
        if runs and runs[-1][-1] == index - 1 and _beside(lines, index - 1, lines[index], style) is not None:
            runs[-1].append(index)
        else:
            runs.append([index])
    return runs


def _beside(lines: Sequence[Line], at: int, line: Line, style: Style) -> Line | None:
    """Return the line at an index when it stands close to another in the same column."""
    if not 0 <= at < len(lines) or not same_column(lines[at], line):
        return None
    return lines[at] if abs(lines[at].y - line.y) < 2 * style.line_step(line.size) else None


def _is_flush(line: Line, beside: Sequence[Line], style: Style) -> bool:
    slack = 0.6 * line.size
    edges = [style.edge(line), *((other.x0, other.x1) for other in beside)]
    # The first line of a paragraph is indented.
    return any(-slack < line.x0 - left < 4 * line.size and abs(line.x1 - right) < slack for left, right in edges)


def _is_even(line: Line) -> bool:
    """Tell whether the blanks of a line are about equal."""
    plain: list[float] = []
    others: list[float] = []
    for blanks, (left, right) in zip(line.gaps, pairwise(line.spans), strict=True):
        if blanks:
            (others if _has_own_room(left, right) else plain).append(right.x0 - left.x1)
    usual = sorted(plain or others)[(len(plain or others) - 1) // 2]
    if len(plain) + len(others) == 1 and usual > _WIDEST_BLANK * line.size:
        return False
    return max(plain or others) <= _EVEN * usual and max(others, default=0) <= _EVEN_BEHIND_PUNCTUATION * usual


def _has_own_room(left: Span, right: Span) -> bool:
    return left.text[-1] in ".,:;?!" or left.font.math or right.font.math


def _is_aligned(line: Line, other: Line) -> bool:
    """Tell whether every wide gap of a line ends or begins where one of another line does."""
    gaps = _wide_gaps(line)
    return len(gaps) > 1 and _are_aligned(gaps, _wide_gaps(other), 0.3 * line.size)


def _are_aligned(gaps: Sequence[Gap], others: Sequence[Gap], near: float) -> bool:
    return all(
        any(abs(start - first) < near or abs(end - last) < near for first, last in others) for start, end in gaps
    )


def goes_on_with_row(line: Line, row: Line) -> bool:
    """Tell whether the widest words of a table are in a line, whose cells begin or end where those of a row do."""
    gaps = _wide_gaps(row)
    blanks = [(left.x1, right.x0) for left, right in pairwise(line.spans) if right.x0 - left.x1 > _CLOSE * line.size]
    return len(gaps) > 1 and count_cells(line) <= count_cells(row) and _are_aligned(gaps, blanks, 0.3 * line.size)
