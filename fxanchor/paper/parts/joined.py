"""Listings put together of the blocks that empty lines, columns and pages have cut them into."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from fxanchor.paper.page.lines import Line
from fxanchor.paper.page.style import Style, middle
from fxanchor.paper.parts.blocks import Block
from fxanchor.paper.parts.cells import same_column
from fxanchor.paper.parts.side_by_side import split_beside

# Steps of the listing: as much room can be left under it where a column is full, and between it and its caption.
_ROOM: Final = 4.0
# Numbered lines that are empty show nothing.
_MOST_EMPTY: Final = 3
_OF_LISTINGS: Final = ("Listing", "Algorithm", "Code", "Program", "代码", "算法", "清单")
_ASIDE: Final = ("caption", "figure", "table", "footnote")
_OPEN = re.compile(r"[(\[{,:=+\\]\s*$")


def join_listings(blocks: Sequence[Block], style: Style) -> list[Block]:
    """Join the parts of each listing.

    Args:
        blocks: The blocks of a paper in reading order.
        style: What is usual in the paper.
    """
    near = [
        part
        for block in _join_near(_split_algorithms(blocks, style), style)
        for part in (split_beside(block, style) if block.role == "listing" else [block])
    ]
    bottoms = _bottoms(near)
    gone: set[int] = set()
    for index, block in enumerate(near):
        if block.role != "listing" or index in gone:
            continue
        last = index
        while (after := _following(near, last, block, style, bottoms)) is not None:
            block.lines.extend(near[after].lines)
            gone.add(after)
            last = after
    return [block for index, block in enumerate(near) if index not in gone]


def _split_algorithms(blocks: Sequence[Block], style: Style) -> list[Block]:
    """Take the steps of an algorithm off its caption, which is its first line alone."""
    split: list[Block] = []
    for block in blocks:
        split.append(block)
        if block.role == "caption" and block.label.startswith(("Algorithm", "算法")) and len(block.lines) > 1:
            steps = block.lines[1:]
            left, right = style.edge(block.lines[0])
            if block.lines[0].x1 - block.lines[0].x0 < 0.6 * (right - left):
                block.lines = block.lines[:1]
                split.append(Block("listing", steps, block.section, block.label, fresh=True, floating=True))
    return split


def _join_near(blocks: Sequence[Block], style: Style) -> list[Block]:
    """Join what empty lines alone keep apart."""
    joined: list[Block] = []
    for block in blocks:
        last = joined[-1] if joined else None
        if last is not None and block.role == last.role == "listing":
            above, line = last.lines[-1], block.lines[0]
            near = 0 < above.y - line.y < 4.2 * style.line_step(line.size)
            if same_column(above, line) and near and (abs(above.size - line.size) < 0.3 or line.listed):
                last.lines.extend(block.lines)
                last.label = last.label or block.label
                last.floating = last.floating or block.floating
                continue
        joined.append(block)
    return joined


def _bottoms(blocks: Sequence[Block]) -> dict[int, float]:
    """Return for each page how far down its columns reach, or would if they were full."""
    lowest: dict[int, float] = {}
    for block in blocks:
        for line in block.lines:
            lowest[line.page] = min(lowest.get(line.page, line.y), line.y)
    usual = middle(lowest.values()) if lowest else 0.0
    return {page: min(y, usual) for page, y in lowest.items()}


def _following(
    blocks: Sequence[Block], index: int, listing: Block, style: Style, bottoms: dict[int, float]
) -> int | None:
    """Return the index of the block that goes on with a listing in the next column, or None.

    A listing goes on when it fills its column to the bottom, the next one begins at the top of the next column or
    page, only floats and footnotes stand between, and neither caption nor numbers say that another one begins.
    """
    above = listing.lines[-1]
    step = style.line_step(above.size)
    lowest = above.y
    for after in range(index + 1, len(blocks)):
        block = blocks[after]
        line = block.lines[0]
        moved = not same_column(above, line)
        if not moved:
            if after == index + 1 and _is_caption_of(block, above.y - line.y, step):
                return None
            lowest = block.lines[-1].y
        elif lowest - bottoms[above.page] > _ROOM * step and not _numbers_go_on(listing, block):
            return None
        if block.role == "listing" and moved:
            if not _has_caption_under(blocks, after, style) or _is_unfinished(listing, block, style):
                return after if _belongs(blocks, after, listing, style) else None
        elif block.role not in _ASIDE and not _is_lettering(blocks, after, style):
            return None
    return None


def _is_caption_of(block: Block, distance: float, step: float) -> bool:
    return block.role == "caption" and bool(block.label) and 0 < distance < _ROOM * step


def _has_caption_under(blocks: Sequence[Block], index: int, style: Style) -> bool:
    """Tell whether the caption under a listing shows that it floats."""
    last = blocks[index].lines[-1]
    under = blocks[index + 1] if index + 1 < len(blocks) else None
    if under is None or not same_column(last, under.lines[0]):
        return False
    return _is_caption_of(under, last.y - under.lines[0].y, style.line_step(last.size))


def _is_lettering(blocks: Sequence[Block], index: int, style: Style) -> bool:
    """Tell short lines over the caption of a figure from running text."""
    for block in blocks[index : index + 6]:
        if block.role == "caption":
            return not block.label.startswith(_OF_LISTINGS)
        if block.role not in ("prose", "figure", "table", "formula"):
            return False
        for line in block.lines:
            left, right = style.edge(line)
            if len(block.lines) > 2 or line.x1 - line.x0 > 0.6 * (right - left):
                return False
    return False


def _belongs(blocks: Sequence[Block], index: int, listing: Block, style: Style) -> bool:
    """Tell whether a block at the top of a column is the rest of a listing, by section, look, numbers and caption."""
    block, before = blocks[index], blocks[index - 1]
    line = block.lines[0]
    if block.section != listing.section or abs(_middle_size(listing) - _middle_size(block)) > 0.3:
        return False
    over = before.role == "caption" and before.label.startswith(_OF_LISTINGS) and same_column(before.lines[-1], line)
    if over and before.lines[-1].y - line.y < _ROOM * style.line_step(line.size):
        return False
    return _numbers_go_on(listing, block) is not False


def _indent(listing: Block, line: Line, style: Style) -> float | None:
    """Return how far right of the left edge of a listing a line begins, each in its own column; None for no edges."""
    first = listing.lines[0]
    shift = style.shift(first, line)
    left = min(line.x0 for line in listing.lines if same_column(line, first))
    return line.x0 - shift - left if shift is not None else None


def _middle_size(block: Block) -> float:
    """Return the usual font size of a block."""
    return middle(line.size for line in block.lines)


def _numbers_go_on(listing: Block, block: Block) -> bool | None:
    """Tell whether the line numbers of a listing go on in a block; None when neither has numbers."""
    lasts = [(at, line.ordinal) for at, line in enumerate(reversed(listing.lines)) if line.listed]
    nexts = [(at, line.ordinal) for at, line in enumerate(block.lines) if line.listed]
    if not lasts and not nexts:
        return None
    if not lasts or not nexts:
        return False
    numbers = [line.ordinal for line in listing.lines if line.listed]
    # Some listings number every fifth line only.
    stride = min((below - above for above, below in pairwise(numbers)), default=1)
    room = _MOST_EMPTY if stride == 1 else 2 * stride
    return 0 < nexts[0][1] - lasts[0][1] <= lasts[0][0] + nexts[0][0] + 1 + room


def _is_unfinished(listing: Block, block: Block, style: Style) -> bool:
    """Tell whether a listing asks for more, or a block for something before it."""
    if numbers := _numbers_go_on(listing, block):
        return numbers
    line = block.lines[0]
    indent = _indent(listing, line, style)
    return _OPEN.search(listing.lines[-1].text) is not None or (indent is not None and indent > 0.8 * line.size)
