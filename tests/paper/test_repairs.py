"""Repairs: what they must do, and what they must never do."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fxanchor.paper.words.repairs import HYPHENS, between_lines, compose_accents, readable, straight

WORD = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyzABCXYZ"), min_size=1, max_size=12)
CODE = st.text(st.sampled_from("abcdxyz_.()[]0123456789,=+*/-<>\"'"), min_size=1, max_size=20)
KNOWN = st.dictionaries(WORD, st.integers(1, 5), max_size=5)


def letters(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text) if char.isalnum())


@pytest.mark.parametrize(
    ("printed", "read"),
    [
        ("e\ufb03cient \ufb02ow", "efficient flow"),
        ("\U0001d45a\U0001d45c\U0001d451\U0001d452\U0001d459\U0001d460.py", "models.py"),
        ("\U0001d6fc\U0001d7d9", "α1"),
        ("\uf9dd\u2f00", "\u5229\u4e00"),
        ("\uff21\uff22\uff23\uff11", "ABC1"),
        ("\u3002\uff0c", "\u3002\uff0c"),
        ("plain", "plain"),
        ("x\u00b2", "x\u00b2"),
    ],
)
def test_readable(printed: str, read: str) -> None:
    assert readable(printed) == read


@pytest.mark.parametrize(
    ("printed", "typed"),
    [
        ("print(\u2019a\u2019)", "print('a')"),
        ("\u2018x\u2019", "'x'"),
        ("# set \u2018n.target\u2018", "# set `n.target`"),
        ("\u201cdoc\u201d", '"doc"'),
        ("pip \u2013pre", "pip --pre"),
        ("a \u2212 b", "a - b"),
        ("a\u2013b", "a-b"),
        ("2 \u2217 x", "2 * x"),
        ("if x >= 0: y = 'z'", "if x >= 0: y = 'z'"),
    ],
)
def test_straight(printed: str, typed: str) -> None:
    assert straight(printed) == typed


@pytest.mark.parametrize(
    ("printed", "read"),
    [
        ("na\u00a8\u0131ve", "naïve"),
        ("B\u00b4ezier", "Bézier"),
        ("Franc\u00b8ois", "François"),
        ("`name`", "`name`"),
        ("``name``", "``name``"),
        ("Markuˇs", "Markuš"),
    ],
)
def test_compose_accents(printed: str, read: str) -> None:
    assert unicodedata.normalize("NFC", compose_accents(printed)) == unicodedata.normalize("NFC", read)


@pytest.mark.parametrize(
    ("left", "right", "known", "joined"),
    [
        ("trans-", "formation", {"transformation"}, "transformation"),
        ("graph-", "level", {"graph-level"}, "graph-level"),
        ("Conv-", "BatchNorm", set(), "Conv-BatchNorm"),
        ("Py-", "Torch", {"PyTorch"}, "PyTorch"),
        ("state-of-the-", "art", {"art"}, "state-of-the-art"),
        ("state-of-the-", "art", set(), "state-of-the-art"),
        ("counter-exam-", "ple", set(), "counter-example"),
        ("unseen-", "word", set(), "unseenword"),
        ("open-", "source", {"open-", "source"}, "open-source"),
        ("data-", "dependent", {"-dependent", "dependent"}, "data-dependent"),
        ("re-", "move", {"re-"}, "remove"),
        ("More-", "over", {"more", "over"}, "Moreover"),
        ("well-", "known", set(), "well-known"),
        ("well-", "ness", set(), "wellness"),
        ("frame-", "based", set(), "frame-based"),
        ("de-", "based", set(), "debased"),
        ("in", "the", set(), "in the"),
        ("torch.", "The", {"torch.The"}, "torch.The"),
        ("torch.", "fx", {"torch.fx"}, "torch.fx"),
        ("torch.", "fx", set(), "torch. fx"),
        ("max_", "split", set(), "max_split"),
        ("http://a.b/c-", "d.html", set(), "http://a.b/c-d.html"),
        ("soft\u00ad", "ware", set(), "software"),
        ("\u4e2d", "\u6587", set(), "\u4e2d\u6587"),
        ("1-", "2", set(), "1-2"),
        ("\u2013", "and", set(), "\u2013 and"),
    ],
)
def test_between_lines_of_text(left: str, right: str, known: set[str], joined: str) -> None:
    cut, glue = between_lines(left, right, left_code=False, right_code=False, known=known)
    assert left[: len(left) - cut] + glue + right == joined


@pytest.mark.parametrize(
    ("left", "right", "known", "joined"),
    [
        ("call_", "module", set(), "call_module"),
        ("torch", ".nn", set(), "torch.nn"),
        ("fx.", "wrap", {"fx.wrap"}, "fx.wrap"),
        ("fx.", "wrap", set(), "fx. wrap"),
        ("collect_statis-", "tics()", {"collect_statistics"}, "collect_statistics()"),
        ("dry-", "run", set(), "dry-run"),
        ("Graph", "Module", {"GraphModule"}, "GraphModule"),
        ("Graph", "Module", {"GraphModule", "Graph", "Module"}, "Graph Module"),
        ("import", "torch", set(), "import torch"),
        ("f(a,", "b)", set(), "f(a, b)"),
        ("x = -", "y", set(), "x = - y"),
    ],
)
def test_between_lines_of_code(left: str, right: str, known: set[str], joined: str) -> None:
    cut, glue = between_lines(left, right, left_code=True, right_code=True, known=known)
    assert left[: len(left) - cut] + glue + right == joined


@pytest.mark.parametrize(
    ("left", "right", "known", "joined"),
    [
        ("memory-", "bound", {"memory"}, "memory-bound"),
        ("memory-", "bound", {"bound"}, "memory-bound"),
        ("possi-", "bilities", {"memory"}, "possibilities"),
        ("for-", "mulas", {"for"}, "formulas"),
    ],
)
def test_a_paper_that_breaks_few_words(left: str, right: str, known: set[str], joined: str) -> None:
    cut, glue = between_lines(left, right, left_code=False, right_code=False, known=known, hyphenated=False)
    assert left[: len(left) - cut] + glue + right == joined


@pytest.mark.parametrize(
    ("left", "right", "joined"),
    [
        ("nn.functional.", "relu", "nn.functional.relu"),
        ("nn.", "functional.relu", "nn.functional.relu"),
        ("self.", "_graph", "self._graph"),
        ("1.", "relu", "1. relu"),
        ("...", "relu", "... relu"),
        ("fx.", "(a)", "fx. (a)"),
    ],
)
def test_a_dot_in_the_code_font_where_no_sentence_ends_with_one(left: str, right: str, joined: str) -> None:
    cut, glue = between_lines(left, right, left_code=True, right_code=True, known=set(), stops_in_code=False)
    assert left[: len(left) - cut] + glue + right == joined


def test_a_full_stop_in_the_text_font_is_never_part_of_a_name() -> None:
    known = {"fx.symbolic_trace", "torch.symbolic_trace"}
    for left_code in (False, True):
        assert between_lines("torch.fx.", "Graph", left_code=left_code, right_code=False, known=known) == (0, " ")
    assert between_lines("torch.fx.", "symbolic_trace", left_code=False, right_code=True, known=known) == (0, " ")


@given(st.text(max_size=60))
def test_readable_loses_no_letter(text: str) -> None:
    assert letters(readable(text)) == letters(text)


@given(st.text(st.characters(codec="ascii"), max_size=60))
def test_readable_leaves_ascii_alone(text: str) -> None:
    assert readable(text) == text


@given(CODE)
def test_straight_never_changes_typed_code(text: str) -> None:
    assert straight(text) == text


@given(st.text(max_size=60))
def test_straight_loses_no_letter(text: str) -> None:
    assert letters(straight(text)) == letters(text)


@given(st.text(st.sampled_from("aeiouncs \u00a8\u00b4\u02c7\u00b8`"), max_size=20))
def test_accents_lose_no_letter(text: str) -> None:
    base = unicodedata.normalize("NFD", compose_accents(text))
    kept = [char for char in base if char.isascii() and char.isalpha()]
    assert kept == [char for char in text if char.isascii() and char.isalpha()]


@given(WORD, WORD, KNOWN, st.tuples(*[st.booleans()] * 4), st.sampled_from(["", *HYPHENS, ".", "_", ","]))
def test_joining_loses_nothing_but_a_hyphen(
    left: str, right: str, known: dict[str, int], told: tuple[bool, bool, bool, bool], mark: str
) -> None:
    cut, glue = between_lines(
        left + mark,
        right,
        left_code=told[0],
        right_code=told[1],
        known=known,
        hyphenated=told[2],
        stops_in_code=told[3],
    )
    assert glue in ("", " ")
    assert cut == 0 or (cut == 1 and mark and mark in HYPHENS)


@given(CODE, CODE, KNOWN)
def test_joining_takes_nothing_off_code_but_a_hyphen_inside_a_known_name(
    left: str, right: str, known: dict[str, int]
) -> None:
    cut, _ = between_lines(left, right, left_code=True, right_code=True, known=known, stops_in_code=False)
    if cut:
        assert left[-1] == "-"
        assert any(left[:-1].endswith(name[:size]) for name in known for size in range(1, len(name)))
