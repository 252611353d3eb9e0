"""What a pass raises, gives or leaves behind is the reader's own: it is told also when it cannot be printed."""

import ast
import importlib.util
from collections.abc import Iterator
from typing import Any

import pytest
from helpers.cases import CASES
from helpers.parts import text_of
from helpers.passes import run_in, run_passes

from fxanchor.errors import InputError
from fxanchor.labs.kernel import observe
from fxanchor.labs.transform.numbers import compare_results
from fxanchor.labs.transform.report import TransformReport
from fxanchor.model.raised import describe, summary
from fxanchor.model.spec import parse_model
from fxanchor.sheet.transform_text import transform_parts

FOLDER = CASES / "labs" / "unprintable"
SOURCE = (FOLDER / "passes.py").read_text(encoding="utf-8")
PASSES = {
    each.name: words
    for each in ast.parse(SOURCE).body
    if isinstance(each, ast.FunctionDef) and (words := ast.get_docstring(each))
}


@pytest.fixture(autouse=True)
def _in_the_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with run_in(FOLDER, monkeypatch):
        yield


@pytest.fixture
def made() -> Any:
    spec = importlib.util.spec_from_file_location("unprintable_passes", FOLDER / "passes.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def transform(*passes: str, matches: str = "") -> TransformReport:
    spec = parse_model("passes.py:Net", inputs="2x4")
    return run_passes(spec, passes, matches, 1e-5)


@pytest.mark.parametrize("name", PASSES)
def test_a_pass_is_told_in_short_lines_whatever_it_raises_or_leaves(name: str) -> None:
    report = transform(f"passes.py:{name}")
    assert any(PASSES[name] in line for line in text_of(transform_parts(report, with_code=True)).splitlines())
    failure = report.stages[0].failure
    assert failure is None or len(failure.message) < 400


@pytest.mark.parametrize("name", ["raises_in_a_predicate", "leaves_in_a_predicate"])
def test_a_predicate_is_told_by_the_node_it_was_at(name: str) -> None:
    with pytest.raises(InputError, match=r"At node x the predicate raised (Mute|SystemExit); correct it"):
        transform(matches=f"passes.py:{name}")


@pytest.mark.parametrize("kind", ["Mute", "NoText", "Leaving"])
def test_an_exception_without_words_is_told_by_its_class(kind: str, made: Any) -> None:
    error = getattr(made, kind)()
    assert summary(error) == kind
    assert describe(error) == kind


def test_values_that_cannot_be_compared_are_not_taken_for_equal(made: Any) -> None:
    seen = compare_results(made.Unprintable(), made.Unprintable(), 1e-5)
    assert not seen.within
    assert seen.problem == "value 1 cannot be compared (Mute)"


def test_an_experiment_on_a_model_that_raises_without_words_ends_in_a_finding(made: Any) -> None:
    def experiment() -> Iterator[tuple[str, object, bool]]:
        yield "first", 1, True
        raise made.Mute

    observations, raised = observe(experiment, ())
    assert observations == [("first", "1", True)]
    assert raised.startswith("Mute")
