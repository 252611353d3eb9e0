"""Tables in the middle of a page of two columns: their rows run over the stripe between these."""

from collections.abc import Sequence
from itertools import pairwise

from fxanchor.paper.page.lines import WIDE, Line

# A head and two rows tell a table.
_FEWEST_ROWS = 3
# Of the font size: how far the rows of a table lie apart, and how far it may be out of the middle.
_ROW, _OFF = 2.6, 1.5
# Of the font size: the least room beside a table.
_MARGIN = 3.0


def widen_tables(lines: Sequence[Line]) -> list[Line]:
    """Put the two halves of each row of a table over both columns together.

    A table that stands in the middle of the page has its halves close to the stripe between the columns and far from
    the outer edges; two tables beside each other stand each in the middle of a column.

    Args:
        lines: The lines of a page.

    Returns:
        The lines, with one line for the two halves of a row.
    """
    halves = [sorted((line for line in lines if line.column == side), key=lambda line: -line.y) for side in (0, 1)]
    if min(map(len, halves)) < _FEWEST_ROWS:
        return list(lines)
    gone: set[int] = set()
    runs = [run for run in _runs(_pairs(*halves)) if len(run) >= _FEWEST_ROWS]
    if not runs:
        return list(lines)
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    for run in runs:
        if _is_table(run, left, right):
            for one, other in run:
                one.spans.extend(other.spans)
                one.settle().column = WIDE
                gone.add(id(other))
            top, bottom = run[0][0].y, run[-1][0].y
            x0, x1 = min(one.x0 for one, _ in run), max(one.x1 for one, _ in run)
            for line in lines:
                # The further lines of a cell.
                reach = bottom - _OFF * line.size < line.y < top
                if line.column != WIDE and id(line) not in gone and reach and x0 - 1 < line.x0 and line.x1 < x1 + 1:
                    line.column = WIDE
    return [line for line in lines if id(line) not in gone]


def _pairs(lefts: Sequence[Line], rights: Sequence[Line]) -> list[tuple[Line, Line]]:
    """Return the lines that stand on one baseline."""
    pairs = []
    at = 0
    for line in lefts:
        while at < len(rights) and rights[at].y > line.y + 0.1 * line.size:
            at += 1
        if at < len(rights) and abs(rights[at].y - line.y) <= 0.1 * line.size and rights[at].size == line.size:
            pairs.append((line, rights[at]))
    return pairs


def _runs(pairs: Sequence[tuple[Line, Line]]) -> list[list[tuple[Line, Line]]]:
    runs: list[list[tuple[Line, Line]]] = [[pair] for pair in pairs[:1]]
    for (above, _), pair in pairwise(pairs):
        line = pair[0]
        aligned = abs(above.x0 - line.x0) < 0.3 * line.size or abs(above.x1 - line.x1) < 0.3 * line.size
        if above.y - line.y < _ROW * line.size and abs(above.size - line.size) < 0.3 and aligned:
            runs[-1].append(pair)
        else:
            runs.append([pair])
    return runs


def _is_table(run: Sequence[tuple[Line, Line]], left: float, right: float) -> bool:
    size, middle = run[0][0].size, (left + right) / 2
    outer = min(one.x0 for one, _ in run) - left, right - max(other.x1 for _, other in run)
    inner = middle - max(one.x1 for one, _ in run), min(other.x0 for _, other in run) - middle
    centred = abs(outer[0] - outer[1]) < _OFF * size and min(outer) > _MARGIN * size
    return centred and max(inner) < 0.5 * min(outer)
