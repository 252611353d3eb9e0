"""What a page shows, as data: words with font, size and place, and thin rules."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from fxanchor.paper.pdf.fonts import Font

# Of the font size: a gap from which on two strings are two words. A justified blank shrinks to 0.17, kerning and
# loosely set headings stay under 0.12.
WORD_GAP: Final = 0.145
# Between two letters of a text font no kerning is as wide as the blanks of a narrow face become.
LETTER_GAP: Final = 0.125
_OPENING, _CLOSING = "([“‘", ",;:.)]”’"


def parts_words(left: str, right: str, gap: float, *, text: bool) -> bool:
    """Tell whether a gap is a blank.

    Args:
        left: The text before it.
        right: The text behind it.
        gap: Its width in font sizes.
        text: Whether a text font is on one side of it at least, and no font for formulas on either.
    """
    if gap >= WORD_GAP or gap < LETTER_GAP or not text:
        return gap >= WORD_GAP
    begins = right[:1].isalpha() or right[:1] in _OPENING
    return begins and (left[-1:].isalnum() or left[-1:] in _CLOSING)


@dataclass(slots=True)
class Span:
    """A run of characters of one font on one baseline without a blank.

    Attributes:
        text: Its characters as the font tells them.
        x0: Left end, along the direction the text runs in, in points.
        x1: Right end.
        y: Baseline, across that direction.
        size: Height of the font in points.
        font: The font.
        turn: Quarter turns of the text against the page, counter-clockwise; -1 for any other slope.
        figure: Whether it is drawn by a form, as figures are.
        blank: Whether the file shows a blank before it.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    font: Font
    turn: int = 0
    figure: bool = False
    blank: bool = False


class Rule(NamedTuple):
    """A thin horizontal line."""

    x0: float
    x1: float
    y: float


@dataclass(slots=True)
class PageSpans:
    """What one page shows.

    Attributes:
        spans: The words, in the order of the file.
        running: Those that the file calls part of every page.
        rules: The thin rules.
        images: How many pictures.
    """

    spans: list[Span] = field(default_factory=list)
    running: list[Span] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    images: int = 0


def turned(x: float, y: float, turn: int) -> tuple[float, float]:
    """Return a point of the page in coordinates in which text of this turn runs to the right."""
    if turn == 1:
        return y, -x
    if turn == 2:
        return -x, -y
    if turn == 3:
        return -y, x
    return x, y


def unturned(x: float, y: float, turn: int) -> tuple[float, float]:
    """Return the point of the page that `turned` gave, undoing it."""
    return turned(x, y, (4 - turn) % 4) if turn > 0 else (x, y)


def visible(spans: list[Span], box: tuple[float, float, float, float]) -> Iterator[Span]:
    """Give the spans that stand inside the page's box."""
    x0, y0, x1, y1 = box
    for span in spans:
        x, y = unturned((span.x0 + span.x1) / 2, span.y, span.turn)
        if x0 - 2 <= x <= x1 + 2 and y0 - 2 <= y <= y1 + 2:
            yield span


def share(spans: list[Span], words: dict[str, str]) -> None:
    """Let equal texts, baselines and sizes be one object each; there are hundreds of spans on a page.

    Args:
        spans: The spans of a page, in the order of the file.
        words: The texts seen so far, added to.
    """
    y = size = math.nan
    for span in spans:
        span.text = words.setdefault(span.text, span.text)
        if span.y == y:
            span.y = y
        else:
            y = span.y
        if span.size == size:
            span.size = size
        else:
            size = span.size
