"""Marks on a page that stand for characters or stand apart: rules for underscores, large initials."""

from collections import defaultdict
from collections.abc import Sequence

from fxanchor.paper.page.lines import Line
from fxanchor.paper.pdf.spans import Rule, Span


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
    found: list[Span] = []
    # Of two at the end of a name the second touches only the first; of two at its start, the first only the second.
    alone = _put_beside(short, by_height, found)
    _put_beside(alone[::-1], by_height, found)
    return found


def _put_beside(rules: Sequence[Rule], by_height: dict[int, list[Span]], found: list[Span]) -> list[Rule]:
    """Add an underscore for each rule that touches a word or an underscore, and return the other rules."""
    alone = []
    for rule in rules:
        near = [span for step in (-1, 0, 1) for span in by_height[round(rule.y / 4) + step]]
        if (beside := _neighbour(rule, near)) is None:
            alone.append(rule)
            continue
        span = Span("_", rule.x0, rule.x1, beside.y, beside.size, beside.font, 0, beside.figure)
        found.append(span)
        by_height[round(span.y / 4)].append(span)
    return alone


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
