"""Spans gathered into lines: what stands on one baseline of one column."""

from dataclasses import dataclass, field
from typing import Final

from fxanchor.paper.pdf.spans import LETTER_GAP, WORD_GAP, Span, parts_words

# Of the font size: wider than what formulas put behind punctuation, narrower than a blank beside it.
_THIN_SPACE = 0.25
# Of the font size: the blank of a line in one large size.
_LARGE_BLANK = 0.45
# Of the font size: what a raised mark is smaller than.
RAISED: Final = 0.9
# The column of a line that runs over the whole width.
WIDE: Final = -1


@dataclass(slots=True, eq=False)
class Line:
    """A line of text as it stands on the page.

    Attributes:
        spans: Its spans from left to right.
        column: 0 for the left or only column, 1 for the right one, `WIDE` for one that spans both.
        page: 1-based page.
        number: 1-based number on the page in reading order, 0 for furniture.
        y: Baseline of most of its letters.
        size: Font size of most of its letters.
        x0: Left end.
        x1: Right end.
        text: The text as the fonts tell it, with single blanks.
        code: Share of letters in fonts with equally wide letters.
        font: Font of most of its letters outside code.
        figure: Share of letters that a form draws.
        math: Share of letters in fonts for formulas.
        letters: Number of characters.
        gaps: How many blanks stand between two spans each.
        listed: Whether it is a line of a numbered listing.
        ordinal: The number that the listing gives it.
    """

    spans: list[Span]
    column: int = 0
    page: int = 0
    number: int = 0
    y: float = 0.0
    size: float = 0.0
    x0: float = 0.0
    x1: float = 0.0
    text: str = ""
    code: float = 0.0
    font: str = ""
    figure: float = 0.0
    math: float = 0.0
    letters: int = 0
    gaps: list[int] = field(default_factory=list)
    listed: bool = False
    ordinal: int = 0

    def settle(self) -> "Line":
        """Put the spans in order and work out the rest from them."""
        self.spans.sort(key=lambda span: span.x0)
        counts: dict[tuple[float, str], int] = {}
        prose: dict[tuple[float, str], int] = {}
        code = figure = math = total = 0
        for span in self.spans:
            text, font = span.text, span.font
            length = len(text)
            look = (span.size, font.name)
            counts[look] = counts.get(look, 0) + length
            total += length
            if font.mono:
                code += length
            elif text[:1].isalpha():
                prose[look] = prose.get(look, 0) + length
            if span.figure:
                figure += length
            if font.math:
                math += length
        # Code inside a sentence is often set a little smaller; the sentence tells the size of the line.
        telling = prose if sum(prose.values()) > 0.1 * total else counts
        self.size, self.font = max(telling.items(), key=lambda item: item[1])[0]
        self.y = max((span for span in self.spans if span.size == self.size), key=lambda span: len(span.text)).y
        self.x0 = self.spans[0].x0
        self.x1 = max(span.x1 for span in self.spans)
        self.letters = total
        self.code, self.figure, self.math = code / max(total, 1), figure / max(total, 1), math / max(total, 1)
        self.gaps = [blanks_between(left, right) for left, right in zip(self.spans, self.spans[1:], strict=False)]
        self.text = self.spans[0].text + "".join(
            " " * min(gap, 1) + span.text for gap, span in zip(self.gaps, self.spans[1:], strict=True)
        )
        return self

    def is_raised(self, span: Span) -> bool:
        """Tell whether a span is set small and above the baseline, as the mark of a footnote is."""
        return span.size < RAISED * self.size and span.y - self.y > 0.15 * self.size


def blanks_between(left: Span, right: Span) -> int:
    """Return how many blanks of the left span's font fit in the gap between two spans of a line."""
    gap = right.x0 - left.x1
    size = left.size if left.size > right.size else right.size
    least = 0.04 if right.blank else WORD_GAP
    if left.font.math and right.font.math and left.text[-1:] in ".,:;":
        # Typesetting of formulas puts a thin space behind punctuation.
        least = _THIN_SPACE
    if gap < least * size:
        if least != WORD_GAP or gap < LETTER_GAP * size:
            return 0
        fonts = left.font, right.font
        prose = not (fonts[0].math or fonts[1].math or (fonts[0].mono and fonts[1].mono))
        if not parts_words(left.text, right.text, gap / size, text=prose):
            return 0
    if gap < 0.4 * left.size and not left.font.mono:
        # The usual case: less than two blanks.
        return 1
    return max(1, round(gap / cell(left)))


def cell(span: Span) -> float:
    """Return the width of one character of a code font, or of a usual blank of any other."""
    if span.font.mono and span.text:
        return max((span.x1 - span.x0) / len(span.text), 0.1 * span.size)
    return 0.27 * span.size


def gather(spans: list[Span], gutter: tuple[float, float] | None, page: int) -> list[Line]:
    """Gather the spans of a page that run to the right into lines, in no order.

    Args:
        spans: The spans.
        gutter: Left and right edge of the white stripe between two columns, or None.
        page: 1-based page.
    """
    segments: list[Line] = []
    for row in _baselines(spans):
        for column, part in _split(row, gutter):
            segments.append(Line(part, column, page).settle())
    return _joined(segments)


def _baselines(spans: list[Span]) -> list[list[Span]]:
    rows: list[list[Span]] = []
    for span in sorted(spans, key=lambda span: -span.y):
        if rows and abs(rows[-1][0].y - span.y) < 0.1 * min(span.size, rows[-1][0].size):
            rows[-1].append(span)
        else:
            rows.append([span])
    return rows


def _split(row: list[Span], gutter: tuple[float, float] | None) -> list[tuple[int, list[Span]]]:
    if gutter is None:
        return [(0, row)]
    left_edge, right_edge = gutter
    middle = (left_edge + right_edge) / 2
    left = [span for span in row if (span.x0 + span.x1) / 2 <= middle]
    right = [span for span in row if (span.x0 + span.x1) / 2 > middle]
    crossing = any(span.x0 < left_edge and span.x1 > right_edge for span in row)
    if left and right and not crossing:
        end, start = max(span.x1 for span in left), min(span.x0 for span in right)
        size = max(span.size for span in row)
        # The blanks of a large title are as wide as a narrow gutter.
        blank = _LARGE_BLANK * min(span.size for span in row)
        crossing = start - end < min(0.9 * size, max(0.7 * (right_edge - left_edge), blank))
    if crossing:
        return [(WIDE, row)]
    return [(column, part) for column, part in ((0, left), (1, right)) if part]


def _joined(segments: list[Line]) -> list[Line]:
    """Join indices, exponents, accents and jittering baselines to the line they belong to."""
    segments.sort(key=lambda line: -line.y)
    alive = [True] * len(segments)
    for index, line in enumerate(segments):
        other = index + 1
        while alive[index] and other < len(segments):
            below = segments[other]
            reach = max(line.size, below.size)
            if line.y - below.y > 0.6 * reach:
                break
            if alive[other] and _belong_together(line, below):
                small, large = (line, below) if _is_minor(line, below) else (below, line)
                large.spans.extend(small.spans)
                column = WIDE if WIDE in (small.column, large.column) else large.column
                large.settle().column = column
                alive[segments.index(small, index, other + 1)] = False
            other += 1
    return [line for line, keep in zip(segments, alive, strict=True) if keep]


def _is_minor(line: Line, other: Line) -> bool:
    return line.size * min(line.letters, 40) < other.size * min(other.letters, 40)


def _belong_together(line: Line, below: Line) -> bool:
    if line.column != below.column and WIDE not in (line.column, below.column):
        return False
    small, large = (line, below) if _is_minor(line, below) else (below, line)
    apart = abs(line.y - below.y)
    reach = 0.35 * large.size if small.size > 0.9 * large.size else 0.6 * large.size
    if apart > reach:
        return False
    near = 1.0 * large.size
    return all(
        any(one.x0 - near < span.x1 and span.x0 < one.x1 + near for one in large.spans) and not _covered(span, large)
        for span in small.spans
    )


def _covered(span: Span, line: Line) -> bool:
    """Tell whether a span stands over or under the letters of a line, as a line of its own would."""
    inside = 0.25 * min(span.size, span.x1 - span.x0)
    return len(span.text) > 1 and any(
        one.x0 + inside < span.x1 and span.x0 + inside < one.x1 and len(one.text) > 1 for one in line.spans
    )
