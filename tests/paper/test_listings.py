"""Listings of lines made by hand, for fonts that the small PDF files of the cases do not have."""

from fxanchor.paper.page.lines import Line
from fxanchor.paper.page.style import Style
from fxanchor.paper.parts.blocks import Block
from fxanchor.paper.pdf.fonts import Font
from fxanchor.paper.pdf.spans import Span
from fxanchor.paper.text.listings import build_listing

CODE = Font("CMTT9", mono=True)
ROMAN = Font("CMR9")
MATH = Font("CMMI9", math=True)
ARROWS = Font("CMSY9", math=True)


def _line(y: float, *words: tuple[float, float, str, Font]) -> Line:
    return Line([Span(text, x0, x1, y, 9.0, font) for x0, x1, text, font in words], page=1).settle()


def _text(*lines: Line) -> str:
    return build_listing(Block("listing", list(lines)), Style()).text


def test_the_arrow_of_a_wrapped_line_is_left_out_with_its_hook() -> None:
    first = _line(700, (72, 94.5, "x=f(a", CODE))
    rest = _line(689, (80, 82.5, ",", MATH), (81, 90, "\u2192", ARROWS), (96, 109.5, "+b)", CODE))
    assert _text(first, rest) == "x=f(a +b)"


def test_a_comma_of_a_formula_is_no_hook() -> None:
    first = _line(700, (72, 85.5, "a=b", CODE))
    rest = _line(689, (72, 74.5, ",", MATH), (80, 84.5, "c", CODE))
    assert _text(first, rest).startswith("a=b\n,")


def test_blanks_that_keep_the_columns_of_a_text_font_are_left_out_beside_brackets_and_dots() -> None:
    line = _line(
        700,
        (72, 86, "def", ROMAN),
        (89.1, 98, "run", ROMAN),
        (100, 103.5, "(", ROMAN),
        (105.5, 118.6, "self", ROMAN),
        (120.6, 123.2, ",", ROMAN),
        (126.3, 140, "mod", ROMAN),
        (142.1, 147, "):", ROMAN),
    )
    assert _text(line) == "def run(self, mod):"


def test_blanks_of_one_width_stay() -> None:
    line = _line(700, (72, 90, "print", ROMAN), (93, 97, "(x", ROMAN), (100, 104, "y", ROMAN), (107, 110, ")", ROMAN))
    assert _text(line) == "print (x y )"


def test_indentation_of_a_text_font_is_counted_in_levels() -> None:
    starts = (72.0, 88.6, 90.3, 105.2, 89.3)
    lines = [_line(700 - 11 * at, (x, x + 20, f"line{at}", ROMAN)) for at, x in enumerate(starts)]
    assert [len(text) - len(text.lstrip()) for text in _text(*lines).split("\n")] == [0, 4, 4, 8, 4]
