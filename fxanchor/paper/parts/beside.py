"""Floats that stand beside text, or beside each other, taken apart: what is left of a white stripe, what is right."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from fxanchor.paper.page.lines import Line
from fxanchor.paper.page.style import Style
from fxanchor.paper.parts.captions import CAPTION, SUBCAPTION
from fxanchor.paper.parts.cells import same_column

# What is looked for in every line, before anything that takes longer.
_WORDS = ("igure", "able", "ig.", "ab.", "lgorithm", "isting", "图", "表", "(b) ")
_TELLING = re.compile(r"(?:" + "|".join(map(re.escape, _WORDS)) + r")\s*[\dIVX]|^\(a\) .*\(b\) ")
# Of the font size: the least width of the white stripe.
_STRIPE = 0.8
# Of the font size: how far it is taken to lie from the edge of the text.
_EDGE = 0.4
# So many lines of text must stand beside a caption, each at most so many lines off.
_FEWEST_LINES, _NEAR = 2, 2.5
# No float reaches over more lines.
_FARTHEST = 120
# On which side of a stripe the text is.
_LEFT, _RIGHT, _NEITHER = -1, 1, 0


class _Stripe(NamedTuple):
    """Where a white stripe is, and on which side of it the text is that a float stands beside."""

    x: float
    text: int


def part_floats(lines: Sequence[Line], style: Style, fixed: Collection[int]) -> list[Line]:
    """Put the lines of a float that text runs beside before that text, and of two floats the left one first.

    Args:
        lines: The body lines of a paper in reading order.
        style: What is usual in the paper.
        fixed: The ids of lines that stay as they are: those of titles and headings.

    Returns:
        The lines in an order in which each float stands together; a line of two of them becomes two lines.
    """
    ordered = list(lines)
    at = 0
    while at < len(ordered):
        line = ordered[at]
        telling = any(word in line.text for word in _WORDS) and _TELLING.search(line.text) is not None
        stripes = _stripes(ordered, at, style) if telling and id(line) not in fixed else ()
        for stripe in stripes:
            first, end = _extent(ordered, at, stripe, style, fixed)
            halves = _halves(ordered[first:end], stripe)
            if min(map(len, halves)) >= _FEWEST_LINES:
                ordered[first:end] = [*halves[1], *halves[0]] if stripe.text == _LEFT else [*halves[0], *halves[1]]
                at = first + len(halves[0]) + len(halves[1]) - 1
                break
        at += 1
    return ordered


def _stripes(lines: Sequence[Line], at: int, style: Style) -> Iterator[_Stripe]:
    """Give where white stripes can be beside the captions of a line."""
    line = lines[at]
    own = _begins_caption(line.text)
    for index, (left, right) in enumerate(pairwise(line.spans), 1):
        gap = right.x0 - left.x1
        if gap > _STRIPE * line.size and _begins_caption(" ".join(span.text for span in line.spans[index : index + 3])):
            yield _Stripe(right.x0 - gap / 2, _NEITHER) if own else _Stripe(left.x1 + _EDGE * line.size, _LEFT)
    if not own:
        return
    near = [
        other
        for other in lines[max(at - 8, 0) : at + 9]
        if other is not line
        and same_column(other, line)
        and abs(other.size - style.size) < 0.3
        and abs(other.y - line.y) < _NEAR * style.line_step(style.size)
    ]
    edge, _ = style.edge(line)
    before = [other for other in near if other.x0 - edge < 2 * style.size and other.x1 < line.x0 - _STRIPE * line.size]
    if len(before) >= _FEWEST_LINES:
        captions = any(_begins_caption(other.text) for other in before)
        yield _Stripe(max(other.x1 for other in before) + _EDGE * line.size, _NEITHER if captions else _LEFT)
    behind = [other for other in near if other.x0 > line.x1 + _STRIPE * line.size]
    if len(behind) >= _FEWEST_LINES:
        captions = any(_begins_caption(other.text) for other in behind)
        yield _Stripe(min(other.x0 for other in behind) - _EDGE * line.size, _NEITHER if captions else _RIGHT)


def _begins_caption(text: str) -> bool:
    match = CAPTION.match(text)
    return bool(match["mark"]) if match is not None else SUBCAPTION.match(text) is not None


def _extent(lines: Sequence[Line], at: int, stripe: _Stripe, style: Style, fixed: Collection[int]) -> tuple[int, int]:
    """Return from where to where no line crosses a stripe, as far as there is something on either side of it."""
    first, end = at, at + 1
    least, most = max(at - _FARTHEST, 0), min(at + _FARTHEST, len(lines))
    if SUBCAPTION.match(lines[at].text):
        # Over the captions of parts stands one figure, and under them can stand further parts.
        least, most = at, _last_line(lines, at, style)
    while first > least and _is_parted(lines[first - 1], lines[at], stripe, fixed):
        first -= 1
    while end < most and _is_parted(lines[end], lines[at], stripe, fixed):
        end += 1
    for sign in (1, -1):
        inside = [line for line in lines[first:end] if sign * (line.x0 if sign > 0 else line.x1) < sign * stripe.x]
        if not inside:
            return at, at
        # Beside a picture without words, the text tells by its edge how far up and down it reaches.
        while lines[first].y > inside[0].y + inside[0].size and not _is_narrowed(lines[first], stripe):
            first += 1
        while lines[end - 1].y < inside[-1].y - inside[-1].size and not _is_narrowed(lines[end - 1], stripe):
            end -= 1
    return first, end


def _last_line(lines: Sequence[Line], at: int, style: Style) -> int:
    """Return the index behind the last of the lines that follow each other closely."""
    end = at + 1
    while end < len(lines) and 0 < lines[end - 1].y - lines[end].y < 1.35 * style.line_step(lines[at].size):
        end += 1
    return end


def _is_parted(line: Line, caption: Line, stripe: _Stripe, fixed: Collection[int]) -> bool:
    """Tell whether a line is on one side of a stripe, or has a gap there that is no blank of its text."""
    if id(line) in fixed or not same_column(line, caption):
        return False
    left = [span for span in line.spans if span.x0 < stripe.x]
    right = [span for span in line.spans if span.x0 >= stripe.x]
    if not left or not right:
        return not left or left[-1].x1 < stripe.x
    gap = right[0].x0 - left[-1].x1
    text = left if stripe.text == _LEFT else right if stripe.text == _RIGHT else ()
    widest = max((two.x0 - one.x1 for one, two in pairwise(text)), default=0.0)
    return left[-1].x1 < stripe.x and gap > max(_STRIPE * line.size, 1.5 * widest)


def _is_narrowed(line: Line, stripe: _Stripe) -> bool:
    """Tell whether a line is text that ends, or begins, at the edge which a float gives it."""
    edge = line.x1 + _EDGE * line.size if stripe.text == _LEFT else line.x0 - _EDGE * line.size
    return stripe.text != _NEITHER and abs(edge - stripe.x) < 0.6 * line.size


def _halves(lines: Sequence[Line], stripe: _Stripe) -> tuple[list[Line], list[Line]]:
    halves: tuple[list[Line], list[Line]] = ([], [])
    for line in lines:
        sides = [[span for span in line.spans if (span.x0 > stripe.x) == right] for right in (False, True)]
        for half, spans in zip(halves, sides, strict=True):
            if len(spans) == len(line.spans):
                half.append(line)
            elif spans:
                half.append(Line(spans, line.column, line.page, line.number, listed=line.listed).settle())
    return halves
