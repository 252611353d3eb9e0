"""Lines that have numbers: those of a listing are marked, those of a numbered draft are text as any."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from fxanchor.paper.page.line_numbers import Run
from fxanchor.paper.page.lines import WIDE, Line
from fxanchor.paper.parts.cells import count_cells
from fxanchor.paper.parts.shapes import reads_as_code

_DRAFT: Final = 15
# Points: a number is at most so far from the baseline of its line, for a font of 18 points.
_HEIGHT: Final = 6.0


def mark_numbered(pages: Sequence[Sequence[Line]], runs: Sequence[Run]) -> None:
    """Mark the lines that a listing numbers; the lines of a draft are numbered for its reviewers and stay as they are.

    Args:
        pages: The lines of each page.
        runs: What `take_line_numbers` took off these pages.
    """
    heights: dict[int, dict[int, list[Line]]] = {}
    for run in runs:
        if run.page not in heights:
            heights[run.page] = defaultdict(list)
            for line in pages[run.page]:
                heights[run.page][round(line.y / _HEIGHT)].append(line)
        lines = list(_numbered(run, heights[run.page]))
        columns = Counter(line.column for line, _ in lines).most_common(1)
        run.lines = [(line, value) for line, value in lines if line.column in (columns[0][0], WIDE)]
    drafts = {id(run) for run in runs if _is_draft(run, pages[run.page])}
    looks = {run.look for run in runs if id(run) in drafts}
    for run in runs:
        restarts = run.values[0] == 1 and _share_of_code(run) > 0.8
        if id(run) not in drafts and not (run.look in looks and run.clear and not restarts) and not _is_table(run):
            for line, value in run.lines:
                line.listed, line.ordinal = True, value


def _numbered(run: Run, heights: Mapping[int, Sequence[Line]]) -> Iterator[tuple[Line, int]]:
    for span, value in zip(run.spans, run.values, strict=True):
        height = round(span.y / _HEIGHT)
        beside = [
            line
            for at in (height - 1, height, height + 1)
            for line in heights.get(at, ())
            if abs(line.y - span.y) < 0.3 * line.size
            and (line.x0 > span.x1 - 1 if run.before else line.x0 < span.x0 - 1)
        ]
        if beside:
            yield min(beside, key=lambda line: line.x0 if run.before else -line.x0), value


def _is_table(run: Run) -> bool:
    """Tell the rows of a table by the gaps between their cells; code can have comments beside it."""
    rows = sum(line.code < 0.88 and count_cells(line) > 1 for line, _ in run.lines)
    return rows > 0.7 * len(run.lines)


def _share_of_code(run: Run) -> float:
    return sum(line.code >= 0.5 for line, _ in run.lines) / max(len(run.lines), 1)


def _is_draft(run: Run, lines: Sequence[Line]) -> bool:
    """Tell numbered running text, whose lines reach the edge of the column, from a listing, whose lines need not."""
    count = len(run.lines)
    if count < 0.5 * len(run.spans):
        # A ruler beside the page, with a step of its own.
        return run.clear
    if len(run.spans) < _DRAFT and not run.clear:
        return False
    texts = [line for line, _ in run.lines]
    if _share_of_code(run) >= 0.5 or sum(map(reads_as_code, texts)) > 0.4 * count:
        return False
    columns = {line.column for line in texts}
    right = max(line.x1 for line in lines if line.column in columns)
    left = min(line.x0 for line in texts)
    return sum(line.x1 > left + 0.85 * (right - left) for line in texts) >= 0.5 * count
