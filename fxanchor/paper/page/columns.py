"""Where the columns of a page are, and the order in which a person reads its lines."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise

from fxanchor.paper.page.lines import WIDE, Line
from fxanchor.paper.page.style import middle
from fxanchor.paper.page.wide_tables import widen_tables
from fxanchor.paper.pdf.spans import Span

Gutter = tuple[float, float]

_BIN = 2.0
_FEWEST_ROWS = 12
# Of the font size: the lines of a listing lie so near, with an empty one or two between.
_LISTING_STEP = 4.0
# Share of letters in code font from which on a line is one of code.
_CODE = 0.8
# Letters of a line that is no index and no limit of a formula.
_WORDY = 8
# Of the font size: how far the next line is at most.
_NEXT = 1.4
# Of the font size: how far lines lie apart that do not follow each other.
_ROOM = 1.6


def find_gutters(pages: Sequence[Sequence[Span]]) -> list[Gutter | None]:
    """Find for each page the white stripe between its two columns, or None for one column.

    A page with too little text to tell takes the stripe that most other pages have, when it fits.
    """
    own = [_gutter(spans) for spans in pages]
    told = [gutter for gutter in own if gutter is not None]
    if not told:
        return own
    if len(told) * 3 < sum(bool(spans) for spans in pages):
        # Where columns are the exception, what looks like two of them is often a table: its rows share baselines.
        return [
            gutter if gutter is not None and _shared_baselines(spans, gutter) < 0.6 else None
            for spans, gutter in zip(pages, own, strict=True)
        ]
    usual = (middle(gutter[0] for gutter in told), middle(gutter[1] for gutter in told))
    return [
        gutter if gutter is not None or not spans or _share_crossing(spans, usual) > 0.6 else usual
        for gutter, spans in zip(own, pages, strict=True)
    ]


def _shared_baselines(spans: Sequence[Span], gutter: Gutter) -> float:
    middle = (gutter[0] + gutter[1]) / 2
    left = {round(span.y) for span in spans if span.x1 <= middle}
    right = {round(span.y) for span in spans if span.x0 >= middle}
    return len(left & right) / max(min(len(left), len(right)), 1)


def _rows(spans: Sequence[Span]) -> list[list[Span]]:
    rows: dict[int, list[Span]] = {}
    for span in spans:
        rows.setdefault(round(span.y / 3), []).append(span)
    return list(rows.values())


def _share_crossing(spans: Sequence[Span], gutter: Gutter) -> float:
    middle = (gutter[0] + gutter[1]) / 2
    rows = _rows(spans)
    crossing = sum(any(span.x0 < middle - 1 and span.x1 > middle + 1 for span in row) for row in rows)
    return crossing / max(len(rows), 1)


def _gutter(spans: Sequence[Span]) -> Gutter | None:
    """Find the stripe in the middle of a page that few rows cross while many rows stand on either side."""
    rows = _rows(spans)
    if len(rows) < _FEWEST_ROWS:
        return None
    left = min(span.x0 for span in spans)
    right = max(span.x1 for span in spans)
    first, last = left + 0.12 * (right - left), left + 0.88 * (right - left)
    bins = int((last - first) / _BIN)
    if bins < 4:
        return None
    covered = _covered(rows, first, bins)
    fewest = min(covered)
    bound = fewest + max(1, len(rows) // 25)
    best: tuple[int, int] | None = None
    start = None
    for index in range(bins + 1):
        if index < bins and covered[index] <= bound:
            start = index if start is None else start
        elif start is not None:
            if best is None or index - start > best[1] - best[0]:
                best = (start, index)
            start = None
    if best is None or best[1] - best[0] < 3 or best[0] == 0 or best[1] == bins:
        return None
    gutter = (first + best[0] * _BIN, first + best[1] * _BIN)
    lefts = sum(any(span.x1 <= gutter[0] + _BIN for span in row) for row in rows)
    rights = sum(any(span.x0 >= gutter[1] - _BIN for span in row) for row in rows)
    smaller = min(lefts, rights)
    if smaller < 0.2 * len(rows) or fewest > 0.45 * smaller:
        return None
    place = ((gutter[0] + gutter[1]) / 2 - left) / (right - left)
    # Notes in a margin stand on baselines of their own; cells of a table do not.
    if not 0.38 < place < 0.62 and _shared_baselines(spans, gutter) > 0.6:
        return None
    if 0.38 < place < 0.62 and smaller < 0.3 * len(rows):
        return None
    return gutter


def _covered(rows: Sequence[Sequence[Span]], first: float, bins: int) -> list[int]:
    """Count for each bin the rows that cover it."""
    changes = [0] * (bins + 1)
    for row in rows:
        reached = 0
        for low, high in sorted((int((span.x0 - first) / _BIN), int((span.x1 - first) / _BIN) + 1) for span in row):
            start, end = max(low, reached), min(high, bins)
            if start < end:
                changes[start] += 1
                changes[end] -= 1
                reached = end
    return list(accumulate(changes[:-1]))


def reading_order(lines: Sequence[Line]) -> list[Line]:
    """Sort the lines of a page: bands between lines that run over both columns, in each the left column first."""
    lines = widen_tables(lines)
    _settle_listings(lines)
    _widen_last_lines(lines)
    ordered: list[Line] = []
    band: list[Line] = []
    names = _Names(lines)
    for line in sorted(lines, key=lambda line: -line.y):
        if line.column == WIDE:
            ordered.extend(_by_column(band, names.count(band, closed=True) if ordered else 0))
            ordered.append(line)
            band = []
        else:
            band.append(line)
    ordered.extend(_by_column(band, names.count(band, closed=False) if ordered else 0))
    return ordered


def _by_column(band: Sequence[Line], names: int) -> list[Line]:
    """Sort the lines of a band, the names at its top before all others."""
    parts = (band[:names], band[names:])
    return [line for part in parts for line in sorted(part, key=lambda line: (line.column, -line.y, line.x0))]


class _Names:
    """Finds names and addresses that stand beside each other under the title on the first page.

    Args:
        lines: The lines of the page.
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        self._edges: dict[int, Gutter] = {}
        # Under the first line of text stand no more names.
        self._over = not lines or lines[0].page != 1
        for column in () if self._over else (0, 1):
            inside = [line for line in lines if line.column == column]
            if inside:
                self._edges[column] = min(line.x0 for line in inside), max(line.x1 for line in inside)

    def count(self, band: Sequence[Line], *, closed: bool) -> int:
        """Count the lines at the top of a band that are names.

        Args:
            band: The lines of a band from top to bottom.
            closed: Whether a line over both columns stands under it.
        """
        names = 0
        while not self._over and (count := self._next(band[names:], closed=closed)):
            names += count
        self._over = self._over or names < len(band)
        return names

    def _next(self, lines: Sequence[Line], *, closed: bool) -> int:
        """Count the first lines when they are names: short, in both columns, with room under them."""
        end = 1
        while end < len(lines) and lines[end - 1].y - lines[end].y < _ROOM * lines[end - 1].size:
            end += 1
        if not lines or (end >= len(lines) and not closed):
            return 0
        first = lines[0]
        rows = [0, 0]
        for line in lines[:end]:
            left, right = self._edges[line.column]
            gaps = (two.x0 - one.x1 for one, two in pairwise(line.spans))
            # Two names can stand in one column.
            if line.x1 - line.x0 - sum(gap for gap in gaps if gap > line.size) > 0.8 * (right - left):
                return 0
            # Names stand in the middle of their column; set to its left edge, one line can be a heading.
            rows[line.column] += 1 if line.x0 - left < 0.5 * line.size else 2
        beside = any(other.column != first.column and first.y - other.y < 0.2 * first.size for other in lines[:end])
        return end if beside and (min(rows) > 1 or end >= len(lines)) else 0


def _widen_last_lines(lines: Sequence[Line]) -> None:
    """Let the short last line of a paragraph that runs over both columns follow the lines above it."""
    wide = sorted((line for line in lines if line.column == WIDE), key=lambda line: line.y)
    for above in wide:
        below = [line for line in lines if line.column != WIDE and 0 < above.y - line.y < 1.45 * above.size]
        if not below or any(line.column == 1 for line in below):
            continue
        last = max(below, key=lambda line: line.y)
        if abs(last.size - above.size) < 0.05 * above.size and abs(last.x0 - above.x0) < 3 * above.size:
            for line in below:
                line.column = WIDE


def _settle_listings(lines: Sequence[Line]) -> None:
    """Let the lines of a listing stand in one column: in both when nothing is beside it, or else in the left one.

    Short lines of a listing that runs over both columns end in the left one, and long lines of one in the left column
    run into the right one, as those of other text can.
    """
    wide = [line for line in lines if line.column == WIDE]
    if not wide:
        return
    right = [line for line in lines if line.column == 1]
    right.sort(key=lambda line: line.y)
    for line in wide:
        first = bisect_left(right, line.y - _NEXT * line.size, key=lambda other: other.y)
        last = bisect_right(right, line.y + _NEXT * line.size, key=lambda other: other.y)
        steps = [(other.y - line.y) / line.size for other in right[first:last] if other.letters > _WORDY]
        # Lines that follow each other are further apart, and nothing wide has the right column on both sides.
        over = any(0.1 < abs(step) < 0.6 for step in steps)
        over = over or (any(0 < step < _NEXT for step in steps) and any(-_NEXT < step < 0 for step in steps))
        if over and all(right.x0 - left.x1 < line.size for left, right in pairwise(line.spans)):
            line.column = 0
    code = sorted((line for line in lines if line.column != 1 and line.code > _CODE), key=lambda line: -line.y)
    listing: list[Line] = []
    for line in code:
        if listing and (abs(listing[-1].size - line.size) > 0.3 or listing[-1].y - line.y > _LISTING_STEP * line.size):
            _settle_listing(listing, right)
            listing = []
        listing.append(line)
    _settle_listing(listing, right)


def _settle_listing(listing: Sequence[Line], right: Sequence[Line]) -> None:
    if not any(line.column == WIDE for line in listing):
        return
    first = bisect_left(right, listing[-1].y - 1, key=lambda line: line.y)
    last = bisect_right(right, listing[0].y + 1, key=lambda line: line.y)
    # Lines of the listing itself can begin in the right column.
    others = [line for line in right[first:last] if line.code < _CODE and line.letters > _WORDY]
    for line in listing:
        line.column = 0 if others or 4 * (last - first) > len(listing) else WIDE
