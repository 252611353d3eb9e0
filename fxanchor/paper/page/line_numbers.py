"""Line numbers of listings and drafts: told by how they count down the page, taken off on whatever side they stand."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from fxanchor.paper.page.lines import Line, cell
from fxanchor.paper.pdf.spans import Span

Rows = Mapping[int, Sequence[Span]]

# Numbers stand in one bin with those that they can be aligned with, or in the next.
_BIN: Final = 6.0
# The latest runs of a bin that a number can go on with; a page of figures has thousands.
_LATEST: Final = 6
# Runs of a page that are looked at, and short ones of a paper: tables of figures have more.
_MOST_RUNS: Final = 100
_MOST_OTHERS: Final = 5000
_FEWEST: Final = 4
# Of the font size: a blank, however far a line is stretched.
_BLANK: Final = 0.6
# So many numbers in a stripe where nothing else stands are those of a draft, whatever they look like.
_STRIPE: Final = 10
# Some packages print every second, fifth or tenth number only.
_STRIDES: Final = (1, 2, 5, 10)


@dataclass(slots=True, eq=False)
class Run:
    """Numbers of lines that stand one below the other.

    Attributes:
        page: Index of the page.
        spans: The numbers from top to bottom.
        values: What they say.
        before: Whether they stand before their lines, not behind them.
        clear: Whether nothing else of the page stands over or under them.
        lines: The lines beside them, each with its number.
    """

    page: int
    spans: list[Span]
    values: list[int]
    before: bool = True
    clear: bool = False
    lines: list[tuple[Line, int]] = field(default_factory=list)

    @property
    def look(self) -> tuple[str, float]:
        """Font and size of the numbers."""
        return self.spans[0].font.name, round(self.spans[0].size, 1)


def take_line_numbers(pages: Sequence[list[Span]]) -> list[Run]:
    """Find the line numbers of a paper and take them off its pages.

    Args:
        pages: The upright spans of each page; the numbers are removed from them.

    Returns:
        The runs of numbers, page by page.
    """
    taken: list[Run] = []
    others: list[Run] = []
    drawn = sum(span.figure for spans in pages for span in spans)
    # Axes of figures count too; a file that draws everything by forms says nothing by them.
    figures = 2 * drawn > sum(map(len, pages))
    for page, spans in enumerate(pages):
        rows: dict[int, list[Span]] = {}
        runs = _runs(page, [span for span in spans if figures or not span.figure])
        runs.sort(key=lambda run: -len(run.spans))
        for at, run in enumerate(runs):
            if len(run.spans) > 1 and not rows:
                rows = _rows(spans)
            numbers = at < _MOST_RUNS and len(run.spans) > 1 and _is_numbering(run, rows, spans)
            (taken if numbers else others).append(run)
    if not taken:
        return []
    # A page can break a listing behind its first line: what looks like the numbers and goes on with them is one.
    alike: dict[tuple[str, float], list[Run]] = defaultdict(list)
    for run in taken:
        alike[run.look].append(run)
    others = [run for run in others if run.look in alike][:_MOST_OTHERS]
    while found := [run for run in others if any(_goes_with(run, other) for other in alike[run.look])]:
        for run in found:
            alike[run.look].append(run)
            others.remove(run)
        taken += found
    gone = {id(span) for run in taken for span in run.spans}
    for page in {run.page for run in taken}:
        pages[page][:] = [span for span in pages[page] if id(span) not in gone]
    return taken


def _runs(page: int, spans: Sequence[Span]) -> list[Run]:
    """Gather the numbers that stand below each other and count up."""
    # Algorithms have a colon behind the number.
    short = [span for span in spans if len(span.text) < 6 and span.text[0].isdecimal()]
    numbers = [span for span in short if span.text.rstrip(":").isdecimal()]
    runs: list[Run] = []
    bins: dict[int, list[Run]] = defaultdict(list)
    for span in sorted(numbers, key=lambda span: -span.y):
        value, place = int(span.text.rstrip(":")), int((span.x0 + span.x1) / 2 / _BIN)
        near = [run for at in (place - 1, place, place + 1) for run in bins[at][-_LATEST:]]
        fits = [run for run in near if _goes_on(run, span, value)]
        if fits:
            run = min(fits, key=lambda run: value - run.values[-1])
            run.spans.append(span)
            run.values.append(value)
        else:
            run = Run(page, [span], [value])
            runs.append(run)
            bins[place].append(run)
    return runs


def _goes_on(run: Run, span: Span, value: int) -> bool:
    last = run.spans[-1]
    stride = value - run.values[-1]
    return (
        0 < stride <= _STRIDES[-1]
        and last.y - span.y > 0.4 * span.size
        and last.font is span.font
        and abs(last.size - span.size) < 0.3
        and _is_aligned(last, span)
    )


def _is_aligned(one: Span, other: Span) -> bool:
    left, right = one.x0 - other.x0, one.x1 - other.x1
    return abs(left) < 1 or abs(right) < 1 or abs(left + right) < 2


def _rows(spans: Sequence[Span]) -> dict[int, list[Span]]:
    rows: dict[int, list[Span]] = defaultdict(list)
    for span in spans:
        rows[round(span.y)].append(span)
    return rows


def _beside(run: Run, rows: Rows, *, right: bool) -> list[tuple[Span, Span]]:
    """Return for each number the next span on its baseline, where there is one that is no number of this kind."""
    found = []
    for number in run.spans:
        best: Span | None = None
        height = round(number.y)
        for span in (span for at in (height - 1, height, height + 1) for span in rows.get(at, ())):
            if abs(span.y - number.y) > 0.12 * span.size or (span.font is number.font and span.text.isdecimal()):
                continue
            on_side = span.x0 > number.x1 - 1 if right else span.x0 < number.x0 - 1
            if on_side and (best is None or (span.x0 < best.x0) == right):
                best = span
        if best is not None:
            found.append((number, best))
    return found


def _is_numbering(run: Run, rows: Rows, spans: Sequence[Span]) -> bool:
    """Tell whether a run numbers lines, and on which side of it they stand."""
    rights, lefts = _beside(run, rows, right=True), _beside(run, rows, right=False)
    if _are_words(rights, lefts, len(run.spans)):
        return False
    count = len(run.spans)
    stride, often = Counter(after - before for before, after in pairwise(run.values)).most_common(1)[0]
    if stride not in _STRIDES or often < 0.6 * (count - 1):
        return False
    run.before = _stands_before(rights, lefts)
    beside = rights if run.before else lefts
    apart = sum(_is_set_apart(number, span) for number, span in beside) >= 0.7 * len(beside) > 0.35 * count
    if count < _FEWEST:
        code = all(span.font.mono for _, span in beside) and len(beside) == count
        return stride == run.values[0] == 1 and apart and code
    run.clear = _is_clear(run, spans)
    if (stride == 1 and apart) or (run.before and _hangs_off_the_grid(run, rights)):
        return True
    return run.clear and (apart or (count >= _STRIPE and _numbers_all(run, rows))) and _is_even(run, stride)


def _are_words(rights: Sequence[tuple[Span, Span]], lefts: Sequence[tuple[Span, Span]], count: int) -> bool:
    """Tell whether most numbers stand inside a line: a blank away from the words on either side, which share a font."""
    before = {id(number): span for number, span in lefts}
    inside = 0
    for number, after in rights:
        left = before.get(id(number))
        if left is not None and left.font.name == after.font.name:
            widest = _BLANK * number.size
            inside += number.x0 - left.x1 < widest and after.x0 - number.x1 < widest
    return 2 * inside > count


def _stands_before(rights: Sequence[tuple[Span, Span]], lefts: Sequence[tuple[Span, Span]]) -> bool:
    """Tell by the text on either side whether numbers between two columns belong to the right one."""
    if not rights or not lefts:
        return bool(rights)
    if abs(len(rights) - len(lefts)) > 0.25 * max(len(rights), len(lefts)):
        return len(rights) > len(lefts)
    right, left = (sum(span.font.mono for _, span in side) / len(side) for side in (rights, lefts))
    return right > left - 0.3


def _is_set_apart(number: Span, span: Span) -> bool:
    return number.text[-1] == ":" or number.font.name != span.font.name or number.size < 0.95 * span.size


def _hangs_off_the_grid(run: Run, beside: Sequence[tuple[Span, Span]]) -> bool:
    """Tell numbers in the font of the code from figures that the code begins with, which keep to its cells."""
    if run.values[0] != 1 or not beside or not all(span.font.mono for pair in beside for span in pair):
        return False
    number, span = min(beside, key=lambda pair: pair[1].x0 - pair[0].x1)
    cells = (span.x0 - number.x1) / cell(span)
    return 0.8 < cells < 5 and abs(cells - round(cells)) > 0.05


def _is_clear(run: Run, spans: Sequence[Span]) -> bool:
    """Tell whether nothing but a heading or two crosses the stripe that the numbers stand in."""
    left, right = min(span.x0 for span in run.spans), max(span.x1 for span in run.spans)
    rows, crossed = set(), set()
    for span in spans:
        height = round(span.y / 3)
        rows.add(height)
        # A draft and its listings can have their numbers in one margin.
        if span.x0 < right and span.x1 > left and not span.text.isdecimal():
            crossed.add(height)
    return len(crossed) <= max(2, 0.05 * len(rows))


def _numbers_all(run: Run, rows: Rows) -> bool:
    """Tell whether most lines between the first number and the last have one."""
    top, bottom = run.spans[0].y, run.spans[-1].y
    heights = sorted(y for y in rows if bottom - 1 < y < top + 1)
    lines = sum(after - before > 3 for before, after in pairwise(heights)) + 1
    return len(run.spans) >= 0.6 * lines


def _is_even(run: Run, stride: int) -> bool:
    steps = [
        (above.y - below.y) / (after - before)
        for (above, before), (below, after) in pairwise(zip(run.spans, run.values, strict=True))
    ]
    # A listing in the middle of a draft has steps of its own.
    usual = sorted(steps)[:: len(steps) // 8 + 1]
    alike = max(sum(abs(step - each) < 0.1 * each for step in steps) for each in usual)
    return alike >= (0.6 if stride == 1 else 0.35) * len(steps)


def _goes_with(run: Run, other: Run) -> bool:
    """Tell whether a run that is too short to tell stands where others do, or goes on with one beside it."""
    values = run.values
    counts = len(values) > 1 and values[-1] - values[0] == len(values) - 1
    ahead, behind = values[0] - other.values[-1], other.values[0] - values[-1]
    aligned = any(_is_aligned(run.spans[0], span) for span in (other.spans[0], other.spans[-1]))
    stride = min((after - before for before, after in pairwise(other.values)), default=1)
    reach = max(_FEWEST - 1, stride)
    near = abs(run.page - other.page) < 2 and (0 < ahead <= reach or 0 < behind <= reach)
    if not (near and (aligned or counts)) and not (aligned and (counts or values[0] == 1)):
        return False
    run.before, run.clear = other.before, other.clear
    return True
