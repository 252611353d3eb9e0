"""Marks on a page that stand for characters or say nothing: rules for underscores, line numbers, large initials."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from fxanchor.paper.lines import Line
from fxanchor.paper.spans import Rule, Span


def underscores(spans: Sequence[Span], rules: Sequence[Rule]) -> list[Span]:
    """Return a span for each short rule on a baseline that touches a word: TeX draws the underscore so.

    Args:
        spans: The upright spans of the page.
        rules: Its thin horizontal rules.
    """
    short = sorted((rule for rule in rules if 1.2 < rule.x1 - rule.x0 < 14), key=lambda rule: rule.x0)
    if not short:
        return []
    by_height: dict[int, list[Span]] = defaultdict(list)
    for span in spans:
        by_height[round(span.y / 4)].append(span)
    found = []
    for rule in short:
        near = [span for step in (-1, 0, 1) for span in by_height[round(rule.y / 4) + step]]
        if (beside := _neighbour(rule, near)) is not None:
            span = Span("_", rule.x0, rule.x1, beside.y, beside.size, beside.font, 0, beside.figure)
            found.append(span)
            # The second one of two at the end of a name touches only the first.
            by_height[round(span.y / 4)].append(span)
    return found


def _neighbour(rule: Rule, near: Sequence[Span]) -> Span | None:
    best: Span | None = None
    for span in near:
        size = span.size
        if not -0.3 * size < rule.y - span.y < 0.1 * size or not 0.22 * size < rule.x1 - rule.x0 < 0.85 * size:
            continue
        if span.x0 + 0.1 * size < rule.x1 and rule.x0 < span.x1 - 0.1 * size:
            # Something stands over the rule: it underlines.
            return None
        if abs(rule.x0 - span.x1) < 0.16 * size or (abs(span.x0 - rule.x1) < 0.16 * size and best is None):
            best = span
    return best


def strip_line_numbers(lines: Sequence[Line]) -> list[Line]:
    """Take the numbers off numbered lines and mark these lines; lines that hold only a number go.

    A number counts when it is set otherwise than what follows, and when it goes on by one from line to line.

    Args:
        lines: The lines of a page.
    """
    columns: dict[int, list[tuple[Line, int]]] = defaultdict(list)
    for line in lines:
        first = line.spans[0]
        if re.fullmatch(r"\d{1,4}", first.text) and not line.is_raised(first) and _is_set_apart(line):
            columns[line.column].append((line, int(first.text)))
    dropped: set[int] = set()
    for numbered in columns.values():
        for run in _runs(numbered):
            # Drafts number the lines of the page: most of what stands there, and no code.
            texts = [other for other in lines if other.column == run[0].column and len(other.spans) > 1]
            prose = sum(line.code < 0.5 for line in run)
            proofs = len(run) >= 15 and 2 * len(run) > len(texts) and 4 * prose > len(run)
            for line in run:
                line.listed = not proofs
                if len(line.spans) == 1:
                    dropped.add(id(line))
                else:
                    line.spans = line.spans[1:]
                    line.settle()
    return [line for line in lines if id(line) not in dropped]


def _is_set_apart(line: Line) -> bool:
    if len(line.spans) == 1:
        return True
    first, second = line.spans[:2]
    return line.gaps[0] > 0 and (first.font.name != second.font.name or first.size < 0.95 * second.size)


def _runs(numbered: Sequence[tuple[Line, int]]) -> list[list[Line]]:
    runs: list[list[tuple[Line, int]]] = []
    for line, value in sorted(numbered, key=lambda item: -item[0].y):
        for run in runs:
            last, before = run[-1]
            aligned = abs(last.spans[0].x1 - line.spans[0].x1) < 3 or abs(last.spans[0].x0 - line.spans[0].x0) < 1
            if aligned and before < value <= before + 4:
                run.append((line, value))
                break
        else:
            runs.append([(line, value)])
    kept = []
    for run in runs:
        steps = sum(after[1] - before[1] == 1 for before, after in pairwise(run))
        if len(run) >= 4 and steps >= 0.6 * (len(run) - 1) and any(len(line.spans) > 1 for line, _ in run):
            kept.append([line for line, _ in run])
    return kept


def raise_initials(lines: Sequence[Line]) -> list[Line]:
    """Move the large initial of a first paragraph from the line it reaches down to, to the line it begins.

    Args:
        lines: The lines of a page.
    """
    kept = list(lines)
    for line in lines:
        first = line.spans[0]
        if len(first.text) != 1 or not first.text.isupper():
            continue
        alone = len(line.spans) == 1
        others = [span.size for span in line.spans[1:]]
        for above in lines:
            size = above.size
            top = first.y + 0.7 * first.size
            if (
                above is not line
                and first.size > 1.6 * max([size, *others])
                and above.column == line.column
                and abs(above.y + 0.7 * size - top) < 0.5 * size
                and 0 <= above.x0 - first.x1 < 1.2 * size
            ):
                if alone:
                    kept.remove(line)
                else:
                    line.spans.remove(first)
                    line.settle()
                above.spans.insert(0, Span(first.text, above.x0 - 0.02, above.x0 - 0.01, above.y, size, first.font))
                above.settle()
                break
    return kept
