"""Words of running text: sentences, stems, shapes of names."""

from itertools import pairwise

import pytest
from helpers.cases import CASES, arrow_cases
from hypothesis import given
from hypothesis import strategies as st

from fxanchor.concepts.words import CITATION, humps, is_shaped, sentences, singulars, stem

FOLDER = CASES / "concepts"


@pytest.mark.parametrize(("text", "wanted"), arrow_cases(FOLDER / "sentences.txt"))
def test_sentences(text: str, wanted: str) -> None:
    assert "|".join(text[start:end] for start, end in sentences(text)) == wanted


@given(st.text(alphabet="ab AB.!?”)] \n。", max_size=80))
def test_sentences_lose_nothing_but_blanks(text: str) -> None:
    spans = sentences(text)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    kept = "".join(text[start:end] for start, end in spans)
    assert [letter for letter in kept if letter in "abAB"] == [letter for letter in text if letter in "abAB"]


@pytest.mark.parametrize(("left", "right"), arrow_cases(FOLDER / "stems.txt"))
def test_stems(left: str, right: str) -> None:
    assert stem(left) == stem(right)


@pytest.mark.parametrize(
    ("left", "right"), [("trace", "track"), ("graph", "grape"), ("model", "mode"), ("fuse", "fusion")]
)
def test_other_words_have_other_stems(left: str, right: str) -> None:
    assert stem(left) != stem(right)


@pytest.mark.parametrize(("word", "answer"), arrow_cases(FOLDER / "shapes.txt"))
def test_shapes(word: str, answer: str) -> None:
    assert is_shaped(word) is (answer == "yes")


def test_humps() -> None:
    assert humps("GraphModule") == humps("graph_module") == ("graph", "module")
    assert humps("DistributedDataParallel") == ("distributed", "data", "parallel")
    assert humps("HTTPServer") == ("http", "server")


def test_singulars() -> None:
    assert singulars("Proxys") == ("Proxy",)
    assert singulars("properties")[:2] == ("propertie", "property")
    assert singulars("Tracer's") == ("Tracer",)
    assert singulars("class") == ()
    assert singulars("args") == ("arg",)


@pytest.mark.parametrize(
    "text", [" (Vaswani et al., 2017)", " [20]", "[2, 4]", " (The XLA Team, 2017)", " (Cho et al., 2014a; Elman, 1990)"]
)
def test_citations(text: str) -> None:
    match = CITATION.match(text)
    assert match is not None
    assert match.group() == text


@pytest.mark.parametrize("text", [" (see Section 2)", " (x, y)", " [1, N]", "(2017", " (DDP)"])
def test_no_citations(text: str) -> None:
    assert CITATION.match(text) is None
