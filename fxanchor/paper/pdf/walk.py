"""A page walked once: its content stream turned into spans and rules."""

import math
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from fxanchor.paper.pdf.content import Operand, TooMuch, operators
from fxanchor.paper.pdf.drawn import Drawn
from fxanchor.paper.pdf.fonts import Font, Shown
from fxanchor.paper.pdf.marked import Mark, read_mark
from fxanchor.paper.pdf.matrix import IDENTITY, Matrix, matrix_of, multiply, number
from fxanchor.paper.pdf.shelf import FontShelf
from fxanchor.paper.pdf.spans import LETTER_GAP, WORD_GAP, PageSpans, Span, parts_words, turned

if TYPE_CHECKING:
    from collections.abc import Callable

    from pypdf.generic import DictionaryObject, PdfObject, StreamObject

MAX_SPANS: Final = 60_000
_MAX_FORMS: Final = 2_000
_MAX_DEPTH: Final = 12
_MAX_STATES: Final = 512
# Of the font size: space between characters that sets them apart as words.
_SPREAD: Final = 0.5


@dataclass(slots=True)
class _State:
    """The part of the graphics state that text depends on (ISO 32000-1, 8.4 and 9.3)."""

    matrix: Matrix
    font: Font
    size: float = 0.0
    char_space: float = 0.0
    word_space: float = 0.0
    scale: float = 1.0
    leading: float = 0.0
    rise: float = 0.0


class Walker:
    """Walks the content of one page.

    Args:
        fonts: The fonts of the document.
        deadline: Value of `time.monotonic()` at which to give up.

    Attributes:
        page: What was found so far.
    """

    def __init__(self, fonts: FontShelf, deadline: float) -> None:
        self.page = PageSpans()
        self._shelf = fonts
        self._deadline = deadline
        self._forms = 0
        self._open: list[int] = []
        self._text: Matrix = IDENTITY
        self._line: Matrix = IDENTITY
        self._state = _State(IDENTITY, Font(""))
        self._stack: list[_State] = []
        self._fonts: dict[str, Font] = {}
        self._resources: DictionaryObject | None = None
        self._drawn = Drawn(self.page.rules)
        self._last: Span | None = None
        self._blank = True
        self._mark: Mark | None = None
        self._marks: list[Mark | None] = []
        self._steps: dict[bytes, Callable[[list[Operand]], None]] = {
            b"TJ": self._show_array,
            b"Tj": self._show_string,
            b"'": self._show_on_next_line,
            b'"': self._show_spaced,
            b"Td": self._move,
            b"TD": self._move_and_lead,
            b"T*": self._next_line,
            b"Tm": self._place,
            b"Tf": self._choose_font,
            b"Tc": self._set_char_space,
            b"Tw": self._set_word_space,
            b"TL": self._set_leading,
            b"Tz": self._set_scale,
            b"Ts": self._set_rise,
            b"BT": self._begin_text,
            b"q": self._save,
            b"Q": self._restore,
            b"cm": self._transform,
            b"stroke": self._stroke,
            b"re": self._rectangle,
            b"Do": self._paint,
            b"BMC": self._begin_mark,
            b"BDC": self._begin_mark,
            b"EMC": self._end_mark,
            **dict.fromkeys((b"f", b"F", b"f*", b"B", b"B*", b"S", b"b", b"b*"), self._fill),
        }

    def walk(self, data: bytes, resources: "PdfObject | None", matrix: Matrix = IDENTITY) -> None:
        """Read a content stream into `page`.

        Args:
            data: The decoded stream.
            resources: Its resource dictionary.
            matrix: From its space to the page's.

        Raises:
            TooMuch: When the page passes one of its bounds.
        """
        from pypdf.generic import DictionaryObject

        outer = self._state, self._stack, self._fonts, self._resources, self._text, self._line, self._mark, self._marks
        self._state, self._stack, self._fonts, self._marks = _State(matrix, Font("")), [], {}, []
        self._resources = resources if isinstance(resources, DictionaryObject) else None
        steps = self._steps
        try:
            for operator, operands in operators(data, self._deadline):
                if (step := steps.get(operator)) is not None:
                    try:
                        step(operands)
                    except (IndexError, TypeError, ValueError, OverflowError):
                        # An operator with the wrong operands does nothing, as in viewers.
                        continue
        finally:
            (
                self._state,
                self._stack,
                self._fonts,
                self._resources,
                self._text,
                self._line,
                self._mark,
                self._marks,
            ) = outer

    def _begin_text(self, _: list[Operand]) -> None:
        self._text = self._line = IDENTITY

    def _place(self, operands: list[Operand]) -> None:
        self._text = self._line = matrix_of(operands)

    def _move(self, operands: list[Operand]) -> None:
        self._move_by(number(operands[-2]), number(operands[-1]))

    def _move_and_lead(self, operands: list[Operand]) -> None:
        self._state.leading = -number(operands[-1])
        self._move(operands)

    def _next_line(self, _: list[Operand]) -> None:
        self._move_by(0.0, -self._state.leading)

    def _move_by(self, x: float, y: float) -> None:
        a, b, c, d, e, f = self._line
        self._text = self._line = (a, b, c, d, x * a + y * c + e, x * b + y * d + f)

    def _choose_font(self, operands: list[Operand]) -> None:
        name = operands[-2]
        size = number(operands[-1])
        if not isinstance(name, str):
            raise TypeError
        if name not in self._fonts:
            self._fonts[name] = self._find_font(name)
        self._state.font, self._state.size = self._fonts[name], size

    def _find_font(self, name: str) -> Font:
        from pypdf.generic import DictionaryObject

        self._check_time()
        fonts = self._resources.get("/Font") if self._resources is not None else None
        fonts = fonts.get_object() if fonts is not None else None
        if not isinstance(fonts, DictionaryObject) or name not in fonts:
            return Font("")
        return self._shelf.get(fonts.raw_get(name))

    def _check_time(self) -> None:
        # Looking up an object of a damaged file can mean searching all of it.
        if time.monotonic() > self._deadline:
            raise TooMuch

    def _set_char_space(self, operands: list[Operand]) -> None:
        self._state.char_space = number(operands[-1])

    def _set_word_space(self, operands: list[Operand]) -> None:
        self._state.word_space = number(operands[-1])

    def _set_leading(self, operands: list[Operand]) -> None:
        self._state.leading = number(operands[-1])

    def _set_scale(self, operands: list[Operand]) -> None:
        self._state.scale = number(operands[-1]) / 100

    def _set_rise(self, operands: list[Operand]) -> None:
        self._state.rise = number(operands[-1])

    def _save(self, _: list[Operand]) -> None:
        if len(self._stack) < _MAX_STATES:
            self._stack.append(replace(self._state))

    def _restore(self, _: list[Operand]) -> None:
        if self._stack:
            self._state = self._stack.pop()

    def _transform(self, operands: list[Operand]) -> None:
        self._state.matrix = multiply(matrix_of(operands), self._state.matrix)

    def _show_string(self, operands: list[Operand]) -> None:
        self._show(operands[-1:])

    def _show_array(self, operands: list[Operand]) -> None:
        if isinstance(operands[-1], list):
            self._show(operands[-1])

    def _show_on_next_line(self, operands: list[Operand]) -> None:
        self._next_line(operands)
        self._show(operands[-1:])

    def _show_spaced(self, operands: list[Operand]) -> None:
        self._state.word_space, self._state.char_space = number(operands[-3]), number(operands[-2])
        self._show_on_next_line(operands)

    def _show(self, shown: "list[Operand] | list[float | bytes]") -> None:
        """Show strings and move the pen (ISO 32000-1, 9.4.4)."""
        state, text, mark = self._state, self._text, self._mark
        a, b, c, d, e, f = multiply(text, state.matrix)
        size, scale = state.size, state.scale
        height = abs(size) * math.hypot(c, d)
        along, across = a * scale, b * scale
        if not 0.1 < height < 2000 or not math.isfinite(e + f):
            return
        turn = _turn(along * size, across * size)
        if state.rise:
            e, f = e + state.rise * c, f + state.rise * d
        # How far the pen moves on the page for one unit of text space, in the direction the text runs.
        step = math.hypot(along, across)
        pen = 0.0
        for item in shown:
            if isinstance(item, float):
                pen -= item * size / 1000
                continue
            if not isinstance(item, bytes):
                continue
            string = state.font.show(item)
            parts = string.parts
            if state.char_space > _SPREAD * abs(size):
                parts = tuple(single for part in parts for single in part.singles())
            for part in parts:
                start = pen + part.start * size / 1000
                start += part.glyphs_before * state.char_space + part.spaces_before * state.word_space
                width = part.width * size / 1000 + (part.glyphs - 1) * state.char_space
                x, y = turned(e + start * along, f + start * across, turn)
                if part.glyphs_before:
                    # Only a blank ends a part inside a string.
                    self._blank = self._blank or part is not parts[0] or part.start > 0
                span = Span(part.text, x, x + width * step, y, height, state.font, turn)
                if mark is None:
                    self._add(span)
                    self._blank = False
                    continue
                for read in mark.read(span):
                    self._add(read)
                    self._blank = False
            self._blank = self._blank or _ends_blank(string)
            pen += string.width * size / 1000 + string.glyphs * state.char_space + string.spaces * state.word_space
        a, b, c, d, e, f = text
        self._text = (a, b, c, d, e + pen * scale * a, f + pen * scale * b)

    def _add(self, span: Span) -> None:
        """Take a span, as part of the last one when it goes on with it."""
        if span.x1 < span.x0:
            span.x0, span.x1 = span.x1, span.x0
        last, size, text = self._last, span.size, span.text
        if last is not None and last.turn == span.turn and abs(last.y - span.y) < 0.02 * size:
            if last.text == text and abs(last.x0 - span.x0) < 0.1 * size:
                # Shown twice, a little apart, to look bold.
                return
            if len(text) == 1 and last.text[-1] == text and abs(span.x1 - last.x1) < 0.1 * size:
                # The same, letter by letter.
                return
            if (
                last.font is span.font
                and abs(last.size - size) < 0.01 * size
                and not self._blank
                and -0.35 * size < (gap := span.x0 - last.x1) < WORD_GAP * size
                and (
                    gap < LETTER_GAP * size
                    or not parts_words(last.text, text, gap / size, text=not (span.font.math or span.font.mono))
                )
            ):
                last.text += text
                last.x1 = span.x1
                return
        page = self.page
        if len(page.spans) + len(page.running) >= MAX_SPANS:
            raise TooMuch
        span.figure, span.blank = bool(self._open), self._blank
        self._last = span
        (page.running if self._mark is not None and self._mark.running else page.spans).append(span)

    def _begin_mark(self, operands: list[Operand]) -> None:
        self._marks.append(self._mark)
        self._enter(read_mark(operands, self._resources, self._mark))

    def _end_mark(self, _: list[Operand]) -> None:
        if self._marks:
            self._enter(self._marks.pop())

    def _enter(self, mark: Mark | None) -> None:
        if (mark is not None and mark.running) != (self._mark is not None and self._mark.running):
            # What comes next is no part of the same text.
            self._last = None
        self._mark = mark

    def _stroke(self, operands: list[Operand]) -> None:
        self._drawn.stroke(operands, self._state.matrix)

    def _rectangle(self, operands: list[Operand]) -> None:
        self._drawn.rectangle(operands, self._state.matrix)

    def _fill(self, _: list[Operand]) -> None:
        self._drawn.fill()

    def _paint(self, operands: list[Operand]) -> None:
        from pypdf.generic import DictionaryObject, StreamObject

        self._check_time()
        objects = self._resources.get("/XObject") if self._resources is not None else None
        objects = objects.get_object() if objects is not None else None
        form = objects.get(operands[-1]) if isinstance(objects, DictionaryObject) else None
        form = form.get_object() if form is not None else None
        if not isinstance(form, StreamObject):
            return
        if form.get("/Subtype") == "/Image":
            self.page.images += 1
            return
        if form.get("/Subtype") != "/Form" or id(form) in self._open or len(self._open) >= _MAX_DEPTH:
            return
        if not self._shelf.has_text(form):
            return
        self._forms += 1
        if self._forms > _MAX_FORMS:
            raise TooMuch
        own = form.get("/Resources")
        self._open.append(id(form))
        self._blank = True
        try:
            resources = self._resources if own is None else own.get_object()
            self.walk(form.get_data(), resources, multiply(_form_matrix(form), self._state.matrix))
        finally:
            self._open.pop()
            self._blank = True


def _form_matrix(form: "StreamObject") -> Matrix:
    try:
        a, b, c, d, e, f = (float(value) for value in form.get("/Matrix", IDENTITY))
    except (TypeError, ValueError):
        return IDENTITY
    return (a, b, c, d, e, f)


def _turn(along: float, across: float) -> int:
    if abs(across) <= 0.05 * abs(along):
        return 0 if along > 0 else 2
    if abs(along) <= 0.05 * abs(across):
        return 1 if across > 0 else 3
    return -1


def _ends_blank(string: Shown) -> bool:
    if not string.parts:
        return bool(string.glyphs)
    last = string.parts[-1]
    return last.glyphs_before + last.glyphs < string.glyphs
