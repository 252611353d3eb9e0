"""Captions bound to the listing, table or figure text that they describe."""

from collections import defaultdict
from collections.abc import Sequence

from fxanchor.paper.page.lines import WIDE
from fxanchor.paper.parts.blocks import Block
from fxanchor.paper.parts.cells import same_column

# Of the font size: how far the words of a drawing lie apart.
_REACH = 8.0
_OVER = ("Table", "Listing", "Algorithm", "Code", "Program", "表")


def bind_captions(blocks: Sequence[Block]) -> None:
    """Give each listing, table and figure text the label and section of the caption next to it.

    Captions of figures stand below, those of tables and listings usually above; the nearer one wins, and
    parts of one figure (`(a)`, `(b)`) lie between it and its caption.
    """
    pages: dict[int, list[Block]] = defaultdict(list)
    for block in blocks:
        for page in {line.page for line in block.lines}:
            pages[page].append(block)
    for members in pages.values():
        _bind_on_page(members)


def _bind_on_page(blocks: Sequence[Block]) -> None:
    captions = [block for block in blocks if block.role == "caption" and block.label]
    for block in blocks:
        if block.role not in ("listing", "table", "figure") and not _is_subcaption(block):
            continue
        near = [(distance, caption) for caption in captions if (distance := _distance(block, caption)) is not None]
        if near:
            distance, caption = min(near, key=lambda item: item[0])
            between = _prose_between(blocks, block, caption)
            if not between and distance < 300:
                block.label = caption.label
                block.floating = True
    for block, below in zip(blocks[-2::-1], blocks[:0:-1], strict=True):
        # A word or a part at the side of a drawing can stand over nothing of its caption.
        if (
            (block.role == "figure" or _is_subcaption(block))
            and not block.label
            and below.role in ("figure", "caption")
            and below.label
        ):
            above, first = block.lines[-1], below.lines[0]
            if same_column(above, first) and 0 < above.y - first.y < _REACH * above.size:
                block.label, block.floating = below.label, True


def _is_subcaption(block: Block) -> bool:
    return block.role == "caption" and not block.label


def _distance(block: Block, caption: Block) -> float | None:
    """Return how far a caption is from a block of its page and column, or None when it cannot belong to it."""
    first, last = caption.lines[0], caption.lines[-1]
    lines = [line for line in block.lines if line.page == first.page]
    if not lines:
        return None
    top, bottom = lines[0], lines[-1]
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    over = min(right, max(line.x1 for line in caption.lines)) > max(left, min(line.x0 for line in caption.lines))
    # A listing that has a short caption over both columns can end in the left one.
    if not over and not (first.column == WIDE and block.role == "listing"):
        return None
    # A listing can run over pages: its caption is over the first part or under the last one.
    if bottom.y > first.y and bottom is block.lines[-1]:
        gap = bottom.y - first.y
        return gap + (40.0 if caption.label.startswith(_OVER) and block.role != "figure" else 0.0)
    if top.y < last.y and top is block.lines[0]:
        gap = last.y - top.y
        return gap + (0.0 if caption.label.startswith(_OVER) and block.role != "figure" else 60.0)
    return None


def _prose_between(blocks: Sequence[Block], block: Block, caption: Block) -> bool:
    page = caption.lines[0].page
    lines = [line for line in block.lines if line.page == page]
    low = min(lines[-1].y, caption.lines[-1].y)
    high = max(lines[0].y, caption.lines[0].y)
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    for other in blocks:
        if other.role in ("prose", "heading", "reference"):
            for line in other.lines:
                inside = low < line.y < high and line.x0 < right and line.x1 > left
                if line.page == page and inside and line.letters > 15:
                    return True
    return False
