"""Source in coloured pieces is the source; long definitions are shown where it matters."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fxanchor.sheet.reader.code import coloured, worth_showing

LINES = st.lists(st.text(st.characters(exclude_characters="\r\n", codec="utf-8"), max_size=20), max_size=8)


@given(LINES.map("\n".join))
@example('def f(:\n\t"""')
@example("x = '" + "a" * 3000 + "'")
@example("a\x0cb\u2028c\x85d")
@example("")
def test_the_pieces_together_are_the_source(source: str) -> None:
    lines = coloured(source)
    assert "\n".join("".join(piece.text for piece in line) for line in lines) == source


def test_kinds_of_words() -> None:
    (line,) = coloured("def f(x): return not 'a' + 1  # note")
    kinds = {piece.text: piece.kind for piece in line}
    assert kinds["def"] == kinds["return"] == kinds["not"] == "keyword"
    assert kinds["f"] == "function"
    assert kinds["1"] == "number"
    assert kinds["# note"] == "comment"
    assert kinds["x"] == ""


def long_function(body: int = 200) -> str:
    return "def f(\n    x,\n):\n" + "".join(f"    x = {number}\n" for number in range(body)) + "    return x\n"


def test_a_short_definition_is_shown_whole() -> None:
    assert worth_showing("def f():\n    return 1\n", []) == (1, 2)


def test_a_long_function_shows_its_head_its_end_and_its_stops() -> None:
    shown = worth_showing(long_function(), [150])
    assert {1, 2, 3, 4} <= set(shown)
    assert {145, 150, 155} <= set(shown)
    assert 204 in shown
    assert not {100, 101, 180} & set(shown)


def test_a_long_class_shows_every_method() -> None:
    source = "class A:\n" + "".join(f"    def m{n}(self):\n" + "        pass\n" * 9 for n in range(20))
    shown = set(worth_showing(source, []))
    assert {2 + 10 * number for number in range(20)} <= shown
    assert len(shown) < 100


def test_a_long_docstring_is_folded_and_its_end_kept() -> None:
    source = 'def f():\n    """One.\n' + "    More.\n" * 30 + '    """\n    return 1\n'
    shown = worth_showing(source, [])
    assert {1, 2, 33, 34} <= set(shown)
    assert 20 not in shown


@pytest.mark.parametrize("source", ["def f(:\n    pass", "\x00", "x", "(" * 500])
def test_what_is_not_python_is_shown_as_it_is(source: str) -> None:
    assert worth_showing(source, [])[0] == 1


def test_no_single_line_is_left_out() -> None:
    shown = worth_showing(long_function(), [40, 56])
    assert all(b - a != 2 for a, b in pairwise(shown))
