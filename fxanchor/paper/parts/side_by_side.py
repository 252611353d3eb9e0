"""Listings that stand beside each other in one column, taken apart."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from fxanchor.paper.page.lines import Line
from fxanchor.paper.page.style import Style
from fxanchor.paper.parts.blocks import Block
from fxanchor.paper.parts.shapes import reads_as_code

# Of the font size: the least room between two listings.
_ROOM: Final = 1.5
# Of the width of the column: where the second one begins at the earliest; three can share a column.
_EARLIEST: Final = 0.3
_FEWEST: Final = 2
# No column has so many lines that a person could read.
_MOST: Final = 400
_COMMENT = re.compile(r"#|//|--|/\*|%|;")


def split_beside(block: Block, style: Style) -> list[Block]:
    """Take the listings apart that a block holds beside each other.

    Args:
        block: A listing within one column.
        style: What is usual in the paper.

    Returns:
        The listings from left to right, or the block alone.
    """
    left, right = style.edge(block.lines[0])
    earliest = left + _EARLIEST * (right - left)
    sides = None
    if len(block.lines) < _MOST:
        sides = _interleaved(block.lines, earliest) or _parted(block.lines, earliest)
    if sides is None:
        return [block]
    first, second = (Block("listing", side, block.section, block.label, block.fresh) for side in sides)
    first.floating = second.floating = block.floating
    return [first, *split_beside(second, style)]


def _interleaved(lines: Sequence[Line], earliest: float) -> tuple[list[Line], list[Line]] | None:
    """Part lines that would overlap if they were of one listing."""
    if sum(_overlap(above, below) for above, below in pairwise(lines)) < _FEWEST:
        return None
    left, right = [line for line in lines if line.x0 < earliest], [line for line in lines if line.x0 >= earliest]
    if any(_overlap(above, below) for side in (left, right) for above, below in pairwise(side)):
        return None
    return (left, right) if min(len(left), len(right)) >= _FEWEST else None


def _overlap(above: Line, below: Line) -> bool:
    return 0.1 * below.size < above.y - below.y < 0.85 * below.size


def _parted(lines: Sequence[Line], earliest: float) -> tuple[list[Line], list[Line]] | None:
    """Part lines by a white stripe, when both sides of it read as code and the right one is not all comments."""
    for start, end in _stripes(lines):
        if start < earliest:
            continue
        left, right = (_side(lines, (start + end) / 2, after=after) for after in (False, True))
        shared = sum(any(abs(line.y - other.y) < 0.2 * line.size for other in left) for line in right)
        comments = 2 * sum(map(_is_comment, right)) >= len(right)
        code = all(2 * sum(map(reads_as_code, side)) >= len(side) for side in (left, right))
        if 2 * shared > len(right) >= _FEWEST and shared >= _FEWEST and code and not comments:
            return left, right
    return None


def _stripes(lines: Sequence[Line]) -> Iterator[tuple[float, float]]:
    """Give the white stripes that run down between the spans of all lines."""
    spans = sorted((span.x0, span.x1) for line in lines for span in line.spans)
    reached = spans[0][1]
    for x0, x1 in spans:
        if x0 - reached > _ROOM * lines[0].size:
            yield reached, x0
        reached = max(reached, x1)


def _side(lines: Sequence[Line], middle: float, *, after: bool) -> list[Line]:
    side = []
    for line in lines:
        spans = [span for span in line.spans if (span.x0 > middle) == after]
        if len(spans) == len(line.spans):
            side.append(line)
        elif spans:
            part = Line(spans, line.column, line.page, line.number, listed=line.listed, ordinal=line.ordinal)
            side.append(part.settle())
    return side


def _is_comment(line: Line) -> bool:
    return _COMMENT.match(line.text) is not None
