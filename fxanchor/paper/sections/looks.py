"""How the lines of a paper are set: which stand out, stand apart or at an edge, and which make one heading together."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from fxanchor.paper.page.lines import Line
from fxanchor.paper.page.style import Style, is_bold, is_italic
from fxanchor.paper.pdf.spans import Span

# Font size and name of a heading.
Look = tuple[float, str]

_SMALL_CAPS = re.compile(r"csc|small-?caps|[-.]sc\b", re.IGNORECASE)
_NUMBER = re.compile(r"[§\d.:|IVX()A-Z]{1,6}")
# Of the font size: the gap in a row of cells, wider than any blank.
_CELL_GAP = 1.3
_MOST_LINES = 4
# Behind the name of the font.
_CAPITALS = " capitals"
# Of the font size: the least width of running text.
_TEXT_WIDTH = 15


class Setting:
    """The lines of a paper and how they are set.

    Args:
        lines: The body lines in reading order.
        style: What is usual in the paper.

    Attributes:
        lines: The lines.
        style: The style.
        distinct: For each line whether it stands out.
    """

    def __init__(self, lines: Sequence[Line], style: Style) -> None:
        self.lines = lines
        self.style = style
        self.distinct = [stands_out(line, style) for line in lines]
        self._step = style.line_step(style.size)

    def look(self, index: int) -> Look:
        """Return how a line is set; capitals of the running text are a look of their own."""
        line = self.lines[index]
        size, font = look_of_spans(line.spans)
        plain = font in self.style.fonts and size < 1.08 * self.style.size
        return (size, font + _CAPITALS) if plain and line.text.isupper() and not _is_special(font) else (size, font)

    def above(self, index: int) -> Line | None:
        """Return the line above in the same column, or None at its top."""
        line = self.lines[index]
        above = self.lines[index - 1] if index else None
        if above is None or above.page != line.page or above.column != line.column or above.y < line.y:
            return None
        return above

    def below(self, index: int) -> Line | None:
        """Return the line below in the same column, or None at its foot."""
        line = self.lines[index]
        below = self.lines[index + 1] if index + 1 < len(self.lines) else None
        if below is None or below.page != line.page or below.column != line.column or below.y > line.y:
            return None
        return below

    def is_apart(self, index: int) -> bool:
        """Tell whether there is more room above a line than between the lines of a paragraph."""
        above = self.above(index)
        return above is None or above.y - self.lines[index].y > 1.25 * self._step

    def is_apart_below(self, index: int) -> bool:
        """Tell whether there is more room below a line than between the lines of a paragraph."""
        below = self.below(index)
        return below is None or self.lines[index].y - below.y > 1.15 * self._step

    def is_placed(self, index: int, *, indent: float = 0.8) -> bool:
        """Tell whether a line begins at the left edge of its column, hangs out of it, or stands in its middle.

        Args:
            index: The line.
            indent: How far behind the edge it may begin, in font sizes.
        """
        line = self.lines[index]
        left, right = self.style.edge(line)
        if line.x0 < left + indent * line.size:
            return True
        return abs(line.x0 - left - (right - line.x1)) < 2.5 * line.size

    def is_short(self, index: int) -> bool:
        """Tell whether a line ends before the right edge of its column."""
        line = self.lines[index]
        return line.x1 < self.style.edge(line)[1] - 2 * line.size

    def is_row(self, index: int, *, first: int = 0) -> bool:
        """Tell whether wide gaps part a line, as in a table, leaving the first spans out of account."""
        spans = self.lines[index].spans[first:]
        size = self.lines[index].size
        return any(right.x0 - left.x1 > _CELL_GAP * size for left, right in pairwise(spans))

    def extent(self, index: int) -> int:
        """Count the lines from one on that look like one heading over several lines."""
        if not self.distinct[index]:
            return 1
        first, look = self.lines[index], self.look(index)
        count = 1
        while count < _MOST_LINES and index + count < len(self.lines):
            above, line = self.lines[index + count - 1], self.lines[index + count]
            if (
                not self.distinct[index + count]
                or (line.page, line.column) != (first.page, first.column)
                or not 0 < above.y - line.y < 1.45 * first.size
                or self.look(index + count) != look
            ):
                break
            count += 1
        return count

    def runs_on(self, index: int) -> bool:
        """Tell whether the line below begins as this one looks and goes on as text: the words run into a paragraph."""
        below = self.below(index)
        if below is None or self.distinct[index + 1] or self.is_apart_below(index):
            return False
        return look_of_spans(below.spans[:1])[1] == self.look(index)[1]

    def text_begins(self) -> int:
        """Return the first line of the first paragraph: what stands over it can be names and addresses."""
        size = self.style.size
        for index, line in enumerate(self.lines):
            below = self.below(index)
            if below is None or self.distinct[index] or self.distinct[index + 1]:
                continue
            left, right = self.style.edge(line)
            wide = min(line.x1 - line.x0, below.x1 - below.x0) > max(0.6 * (right - left), _TEXT_WIDTH * size)
            plain = line.font == below.font == self.style.font
            if wide and plain and abs(line.size - size) < 0.12 * size and abs(below.size - line.size) < 0.3:
                return index
        return len(self.lines)


def stands_out(line: Line, style: Style) -> bool:
    """Tell whether a whole line is set otherwise than running text: larger, bold, italic or in small capitals."""
    if line.size > 1.08 * style.size:
        return True
    # The usual case, told at once: small letters in the font of the running text.
    if line.font == style.font and not line.text.isupper() and _has_plain_word(line.spans, style.font):
        return False
    biggest = max(span.size for span in line.spans)
    if biggest < 0.94 * style.size and not is_bold(line.font) and not is_italic(line.font):
        return False
    if _has_plain_word(line.spans, style.font):
        return False
    words = [span for span in line.spans if not _NUMBER.fullmatch(span.text)] or line.spans
    words = [span for span in words if not span.font.math] or words
    fonts = {span.font.name for span in words if not span.font.mono} or {span.font.name for span in words}
    if style.font not in fonts:
        return all(_is_special(font) or font not in style.fonts for font in fonts)
    letters = "".join(span.text for span in words if span.font.name == style.font)
    # An initial that is set larger can look like a number.
    sizes = {round(span.size, 1) for span in line.spans if not span.font.math}
    return letters.upper() == letters and len(letters) > 3 and (len(sizes) > 1 or len(line.text) < 40)


def _is_special(font: str) -> bool:
    return is_bold(font) or is_italic(font) or _SMALL_CAPS.search(font) is not None


def _has_plain_word(spans: Sequence[Span], font: str) -> bool:
    return any(span.font.name == font and not span.font.mono and span.text != span.text.upper() for span in spans)


def look_of_spans(spans: Sequence[Span]) -> Look:
    """Return size and font of most letters of some spans, whatever numbers, code and formulas in them are set in."""
    counts: dict[str, int] = {}
    for span in spans:
        if not span.font.mono and not span.font.math and not _NUMBER.fullmatch(span.text):
            counts[span.font.name] = counts.get(span.font.name, 0) + len(span.text)
    font = max(counts, key=lambda name: counts[name]) if counts else spans[-1].font.name
    return round(max(span.size for span in spans), 1), font


def weight(look: Look, style: Style) -> int:
    """Return how heavy a look is: 3 larger or in capitals, 2 bold or another face, 1 italic, 0 like running text."""
    size, font = look
    if size > 1.08 * style.size or font.endswith(_CAPITALS):
        return 3
    if is_bold(font) or _SMALL_CAPS.search(font):
        return 2
    return 1 if is_italic(font) else 2 if font not in style.fonts else 0


@cache
def face(font: str) -> tuple[str, bool]:
    """Return the part of a font name that its sizes share, and whether it is bold."""
    return re.split(r"[-,]|\d|(?<=[a-z])(?:Bold|Ital|Obli)", font)[0], is_bold(font)
