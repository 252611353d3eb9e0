"""A page walked once: its words with font, size and place, and its thin rules."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from fxanchor.paper.content import Operand, TooMuch, operators
from fxanchor.paper.fonts import Font, load_font, lost_font

Matrix = tuple[float, float, float, float, float, float]

IDENTITY: Final[Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
MAX_SPANS: Final = 60_000
_MAX_RULES = 4_000
_MAX_FORMS = 2_000
_MAX_DEPTH = 12
_TEXT_OPERATOR = re.compile(rb"T[jJ]|Do|['\"]")
# Of the font size: space between characters that sets them apart as words.
_SPREAD = 0.5
# Of the font size: a gap from which on two strings are two words. A justified blank shrinks to 0.17, kerning and
# loosely set headings stay under 0.12.
WORD_GAP: Final = 0.145


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
    """What one page shows."""

    spans: list[Span] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    images: int = 0


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

    def copy(self) -> "_State":
        return _State(
            self.matrix,
            self.font,
            self.size,
            self.char_space,
            self.word_space,
            self.scale,
            self.leading,
            self.rise,
        )


def multiply(left: Matrix, right: Matrix) -> Matrix:
    """Return the matrix that applies `left` first and `right` then."""
    a, b, c, d, e, f = left
    g, h, i, j, k, m = right
    return (
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + m,
    )


class FontShelf:
    """The fonts of a document, each loaded once."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], Font] = {}
        # Whether a font was named that is not in the file.
        self.lost = False
        # The form is kept with the answer, so that its id is not given to another object.
        self._textless: dict[int, tuple[Any, bool]] = {}

    def get(self, reference: Any) -> Font:
        """Return the font that a resource entry, direct or indirect, stands for."""
        number = getattr(reference, "idnum", None)
        if number is None:
            return load_font(reference.get_object())
        key = (number, reference.generation)
        if key not in self._known:
            resource = reference.get_object()
            if isinstance(resource, dict):
                self._known[key] = load_font(resource)
            else:
                self._known[key] = lost_font()
                self.lost = True
        return self._known[key]

    def has_text(self, form: Any) -> bool:
        """Tell whether a form can show text; a plot paints one form thousands of times as a marker."""
        known = self._textless.get(id(form))
        if known is None:
            known = self._textless[id(form)] = (form, _TEXT_OPERATOR.search(form.get_data()) is not None)
        return known[1]


class Walker:
    """Walks the content of one page.

    Args:
        fonts: The fonts of the document.
        deadline: Value of `time.monotonic()` at which to give up.
    """

    def __init__(self, fonts: FontShelf, deadline: float) -> None:
        self.page = PageSpans()
        self._fonts = fonts
        self._deadline = deadline
        self._forms = 0
        self._open: set[int] = set()
        self._text: Matrix = IDENTITY
        self._line: Matrix = IDENTITY
        self._last: Span | None = None
        self._blank = True
        self._depth = 0

    def walk(self, data: bytes, resources: Any, matrix: Matrix = IDENTITY) -> None:
        """Read a content stream into `page`.

        Args:
            data: The decoded stream.
            resources: Its resource dictionary.
            matrix: From its space to the page's.

        Raises:
            TooMuch: When the page passes one of its bounds.
        """
        fonts: dict[str, Font] = {}
        state = _State(matrix, Font(""))
        stack: list[_State] = []
        rectangle: list[tuple[Rule, float]] = []
        for operator, operands in operators(data, self._deadline):
            try:
                match operator:
                    case b"TJ":
                        self._show_all(operands[-1], state)
                    case b"Tj":
                        self._show_all(operands[-1:], state)
                    case b"Td":
                        self._move(_number(operands[-2]), _number(operands[-1]))
                    case b"Tm":
                        self._text = self._line = _matrix(operands)
                    case b"Tf":
                        name = str(operands[-2])
                        if name not in fonts:
                            fonts[name] = self._font(resources, name)
                        state.font, state.size = fonts[name], _number(operands[-1])
                    case b"TD":
                        state.leading = -_number(operands[-1])
                        self._move(_number(operands[-2]), _number(operands[-1]))
                    case b"T*":
                        self._move(0.0, -state.leading)
                    case b"'":
                        self._move(0.0, -state.leading)
                        self._show_all(operands[-1:], state)
                    case b'"':
                        state.word_space, state.char_space = _number(operands[-3]), _number(operands[-2])
                        self._move(0.0, -state.leading)
                        self._show_all(operands[-1:], state)
                    case b"BT":
                        self._text = self._line = IDENTITY
                    case b"q":
                        if len(stack) < 512:
                            stack.append(state.copy())
                    case b"Q":
                        state = stack.pop() if stack else state
                    case b"cm":
                        state.matrix = multiply(_matrix(operands), state.matrix)
                    case b"Tc":
                        state.char_space = _number(operands[-1])
                    case b"Tw":
                        state.word_space = _number(operands[-1])
                    case b"TL":
                        state.leading = _number(operands[-1])
                    case b"Tz":
                        state.scale = _number(operands[-1]) / 100
                    case b"Ts":
                        state.rise = _number(operands[-1])
                    case b"stroke":
                        self._stroke(operands, state.matrix)
                    case b"re":
                        rectangle = self._rectangle(operands, state.matrix, rectangle)
                    case b"f" | b"F" | b"f*" | b"B" | b"B*" | b"S" | b"b" | b"b*":
                        for rule, height in rectangle:
                            self._rule(rule, height)
                        rectangle = []
                    case b"Do":
                        self._paint(resources, str(operands[-1]), state.matrix)
                    case _:
                        pass
            except (IndexError, TypeError, ValueError, OverflowError):
                # An operator with the wrong operands does nothing, as in viewers.
                continue

    def _font(self, resources: Any, name: str) -> Font:
        try:
            reference = resources["/Font"].get_object().raw_get(name)
        except (KeyError, AttributeError, TypeError):
            return Font("")
        return self._fonts.get(reference)

    def _move(self, x: float, y: float) -> None:
        a, b, c, d, e, f = self._line
        self._text = self._line = (a, b, c, d, x * a + y * c + e, x * b + y * d + f)

    def _show_all(self, shown: Operand | list[Operand], state: _State) -> None:
        if not isinstance(shown, list):
            return
        text = self._text
        a, b, c, d, e, f = multiply(text, state.matrix)
        size, scale = state.size, state.scale
        height = abs(size) * math.hypot(c, d)
        along, across = a * scale, b * scale
        if height < 0.1 or height > 2000 or not math.isfinite(e + f):
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
                width = part.width * size / 1000 + part.glyphs * state.char_space
                x, y = _turned(e + start * along, f + start * across, turn)
                self._add(part.text, x, x + width * step, y, height, state.font, turn)
                self._blank = False
            if not string.parts or string.spaces:
                self._blank = self._blank or _ends_blank(string)
            pen += string.width * size / 1000 + string.glyphs * state.char_space + string.spaces * state.word_space
        a, b, c, d, e, f = text
        self._text = (a, b, c, d, e + pen * scale * a, f + pen * scale * b)

    def _add(self, text: str, x0: float, x1: float, y: float, size: float, font: Font, turn: int) -> None:
        last = self._last
        if x1 < x0:
            x0, x1 = x1, x0
        if last is not None and last.turn == turn and abs(last.y - y) < 0.02 * size:
            if last.text == text and abs(last.x0 - x0) < 0.1 * size:
                # Shown twice, a little apart, to look bold.
                return
            if len(text) == 1 and last.text[-1] == text and abs(x0 - (last.x1 - (x1 - x0))) < 0.1 * size:
                # The same, letter by letter.
                return
            if (
                last.font is font
                and abs(last.size - size) < 0.01 * size
                and not self._blank
                and -0.35 * size < x0 - last.x1 < WORD_GAP * size
            ):
                last.text += text
                last.x1 = x1
                return
        if len(self.page.spans) >= MAX_SPANS:
            raise TooMuch
        self._last = Span(text, x0, x1, y, size, font, turn, self._depth > 0, self._blank)
        self.page.spans.append(self._last)

    def _stroke(self, operands: list[Operand], matrix: Matrix) -> None:
        x0, y0, x1, y1 = (_number(operand) for operand in operands[:4])
        start, end = _apply(matrix, x0, y0), _apply(matrix, x1, y1)
        self._rule(Rule(min(start[0], end[0]), max(start[0], end[0]), start[1]), abs(start[1] - end[1]))

    def _rectangle(
        self, operands: list[Operand], matrix: Matrix, before: list[tuple[Rule, float]]
    ) -> list[tuple[Rule, float]]:
        x, y, width, height = (_number(operand) for operand in operands[-4:])
        (x0, y0), (x1, y1) = _apply(matrix, x, y), _apply(matrix, x + width, y + height)
        if len(before) < 64:
            before.append((Rule(min(x0, x1), max(x0, x1), (y0 + y1) / 2), abs(y1 - y0)))
        return before

    def _rule(self, rule: Rule, height: float) -> None:
        if height <= 1.5 and 1.0 < rule.x1 - rule.x0 < 5_000 and len(self.page.rules) < _MAX_RULES:
            self.page.rules.append(rule)

    def _paint(self, resources: Any, name: str, matrix: Matrix) -> None:
        try:
            form = resources["/XObject"].get_object()[name]
            kind = form.get("/Subtype")
        except (KeyError, AttributeError, TypeError):
            return
        if kind == "/Image":
            self.page.images += 1
            return
        if kind != "/Form" or id(form) in self._open or self._depth >= _MAX_DEPTH or not self._fonts.has_text(form):
            return
        self._forms += 1
        if self._forms > _MAX_FORMS:
            raise TooMuch
        inner = _form_matrix(form)
        own = form.get("/Resources")
        saved = self._text, self._line
        self._open.add(id(form))
        self._depth += 1
        self._blank = True
        try:
            self.walk(form.get_data(), resources if own is None else own.get_object(), multiply(inner, matrix))
        finally:
            self._depth -= 1
            self._open.discard(id(form))
            self._text, self._line = saved
            self._blank = True


def _number(operand: Operand) -> float:
    if isinstance(operand, float) and math.isfinite(operand):
        return operand
    raise TypeError


def _matrix(operands: list[Operand]) -> Matrix:
    a, b, c, d, e, f = operands[-6:]
    return (_number(a), _number(b), _number(c), _number(d), _number(e), _number(f))


def _form_matrix(form: Any) -> Matrix:
    try:
        a, b, c, d, e, f = (float(value) for value in form.get("/Matrix", IDENTITY))
    except (TypeError, ValueError):
        return IDENTITY
    return (a, b, c, d, e, f)


def _apply(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return x * a + y * c + e, x * b + y * d + f


def _turn(along: float, across: float) -> int:
    if abs(across) <= 0.05 * abs(along):
        return 0 if along > 0 else 2
    if abs(along) <= 0.05 * abs(across):
        return 1 if across > 0 else 3
    return -1


def _turned(x: float, y: float, turn: int) -> tuple[float, float]:
    """Return a point of the page in coordinates in which text of this turn runs to the right."""
    if turn == 1:
        return y, -x
    if turn == 2:
        return -x, -y
    if turn == 3:
        return -y, x
    return x, y


def unturned(x: float, y: float, turn: int) -> tuple[float, float]:
    """Return the point of the page that `_turned` gave, undoing it."""
    return _turned(x, y, (4 - turn) % 4) if turn > 0 else (x, y)


def _ends_blank(string: Any) -> bool:
    if not string.parts:
        return bool(string.glyphs)
    last = string.parts[-1]
    return bool(last.glyphs_before + last.glyphs < string.glyphs)


def visible(spans: list[Span], box: tuple[float, float, float, float]) -> Iterator[Span]:
    """Give the spans that stand inside the page's box."""
    x0, y0, x1, y1 = box
    for span in spans:
        x, y = unturned((span.x0 + span.x1) / 2, span.y, span.turn)
        if x0 - 2 <= x <= x1 + 2 and y0 - 2 <= y <= y1 + 2:
            yield span
