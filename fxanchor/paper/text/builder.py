"""Text under construction, with the place of each of its parts."""

from fxanchor.paper.document import Box, Piece
from fxanchor.paper.page.lines import Line
from fxanchor.paper.page.style import Style
from fxanchor.paper.pdf.spans import Span, unturned


class TextBuilder:
    """Collects the text of a passage and its pieces.

    Args:
        style: What is usual in the paper; it tells the code fonts.
    """

    def __init__(self, style: Style) -> None:
        self._style = style
        self._parts: list[str] = []
        self._length = 0
        self.pieces: list[Piece] = []

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._parts)

    @property
    def ends_in_code(self) -> bool:
        """Whether the last character stands in the code font."""
        return bool(self.pieces) and self.pieces[-1].code and self.pieces[-1].end == self._length

    def put(self, text: str) -> None:
        """Add characters that stand nowhere on the page."""
        self._parts.append(text)
        self._length += len(text)

    def put_span(self, text: str, span: Span, line: Line) -> None:
        """Add what a span shows.

        Args:
            text: Its characters after repair.
            span: The span.
            line: The line it stands on.
        """
        if not text:
            return
        start = self._length
        self.put(text)
        name = span.font.name
        code = name in self._style.code
        self.pieces.append(
            Piece(start, self._length, line.page, line.number, box_of(span), name, round(span.size, 2), code)
        )

    def last_word(self) -> str:
        """Return what stands behind the last blank."""
        word = ""
        for part in reversed(self._parts):
            word = part + word
            if any(char.isspace() for char in part):
                break
        return word.split()[-1] if word and not word[-1].isspace() else ""

    def take_back(self, count: int) -> None:
        """Take characters off the end, from the text and from the last piece."""
        text = self.text
        self._length -= count
        self._parts = [text[: self._length]]
        while self.pieces and self.pieces[-1].end > self._length:
            last = self.pieces.pop()
            if last.start < self._length:
                share = (self._length - last.start) / (last.end - last.start)
                x0, y0, x1, y1 = last.box
                box = Box(x0, y0, round(x0 + (x1 - x0) * share, 2), y1)
                self.pieces.append(
                    Piece(last.start, self._length, last.page, last.line, box, last.font, last.size, last.code)
                )


def box_of(span: Span) -> Box:
    """Return the rectangle of a span on its page."""
    # Ascenders of text fonts reach about 0.75 em up and descenders 0.22 em down.
    if not span.turn:
        y = span.y
        return Box(round(span.x0, 2), round(y - 0.22 * span.size, 2), round(span.x1, 2), round(y + 0.75 * span.size, 2))
    x0, y0 = unturned(span.x0, span.y - 0.22 * span.size, span.turn)
    x1, y1 = unturned(span.x1, span.y + 0.75 * span.size, span.turn)
    return Box(round(min(x0, x1), 2), round(min(y0, y1), 2), round(max(x0, x1), 2), round(max(y0, y1), 2))
