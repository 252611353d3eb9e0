"""Passes run on a model: what changed, where from, and what broke, as `transform` prints it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers.cases import CASES
from helpers.parts import text_of
from helpers.passes import run_in, run_passes

from fxanchor.errors import CaptureError, FxanchorError, InputError, UsageError
from fxanchor.labs.transform.report import TransformReport
from fxanchor.labs.transform.run import transform_model
from fxanchor.model.spec import parse_model
from fxanchor.sheet.transform_text import broken, transform_parts

FOLDER = CASES / "labs" / "transform"
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
RECORDED = sorted(path.stem for path in FOLDER.glob("*.txt"))


@pytest.fixture(autouse=True)
def _in_the_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with run_in(FOLDER, monkeypatch, EXAMPLES):
        yield


def transform(*passes: str, matches: str = "", inputs: str = "2x3x8x8", tolerance: float = 1e-5) -> TransformReport:
    spec = parse_model("net.py:evaluated()", inputs=inputs)
    return run_passes(spec, passes, matches, tolerance)


def printed(report: TransformReport) -> str:
    text = text_of(transform_parts(report, with_code=False))
    # The last digits of rounding errors are the processor's.
    return re.sub(r"absolute \S+, relative \S+;", "absolute .., relative ..;", text)


@pytest.mark.parametrize("name", RECORDED)
def test_a_pass_is_reported_as_recorded(name: str) -> None:
    """When this fails and the new text is right, write it to the case."""
    assert printed(transform(f"passes.py:{name}")) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_pass_has_a_record() -> None:
    source = (FOLDER / "passes.py").read_text(encoding="utf-8")
    names = re.findall(r"^(?:def|class) (\w+)|^(PAIR)", source, re.MULTILINE)
    others = {"is_rectifier", "not_a_pass", "bad_predicate"}
    assert {one or other for one, other in names} - others == set(RECORDED)


@pytest.mark.parametrize(
    ("passes", "tolerance", "within"),
    [
        (["activation.py:ReluToGelu"], 1e-5, False),
        (["activation.py:relu_to_gelu"], 1e-5, False),
        (["fusion.py"], 1e-5, True),
        (["fusion.py:fuse_conv_bn", "quantisation.py:Quantise(bits=8)"], 0.05, True),
        (["quantisation.py:Quantise(bits=2)"], 1e-5, False),
    ],
)
def test_the_examples_do_what_they_say(passes: list[str], tolerance: float, within: bool) -> None:
    report = transform(*(str(EXAMPLES / name) for name in passes), tolerance=tolerance)
    assert [stage.failure for stage in report.stages] == [None] * len(passes)
    assert not any(stage.lint or stage.stale or stage.dead for stage in report.stages)
    comparison = report.stages[-1].comparison
    assert comparison is not None
    assert comparison.within is within
    assert broken(report) is not within


def test_both_activation_passes_leave_no_rectifier() -> None:
    for name in ("ReluToGelu", "relu_to_gelu"):
        report = transform(f"{EXAMPLES / 'activation.py'}:{name}")
        assert "relu" not in report.stages[0].code_after
        assert {
            change.trigger.line for change in report.stages[0].changes if change.trigger and "gelu" in change.name
        } == {
            11,
            22,
            23,
            24,
        }


def test_a_pipeline_goes_on_with_what_the_stage_before_made() -> None:
    report = transform("passes.py:edits_a_copy", "passes.py:traces_anew", "passes.py:leaves_a_dead_node")
    assert report.stages[1].code_before == report.stages[0].code_after
    assert not report.stages[1].changes
    assert "net.py:23 torch.relu(y * self.scale)" in report.code
    assert not report.stages[2].dead  # the copy has no rectifier any more


def test_a_pipeline_ends_at_the_stage_that_breaks() -> None:
    report = transform("passes.py:does_nothing", "passes.py:raises_half_way", "passes.py:rebuilds")
    assert [stage.name for stage in report.stages] == ["passes.py:does_nothing", "passes.py:raises_half_way"]
    assert report.not_run == ("passes.py:rebuilds",)


def test_without_inputs_nothing_is_compared_and_that_is_said() -> None:
    report = transform("passes.py:edits_a_copy", inputs="")
    if report.stages[0].comparison is None:
        assert any("--input" in note for note in report.notes)
    else:
        assert any("on inputs" in note for note in report.notes)


@pytest.mark.parametrize(
    ("pattern", "taken", "missed"),
    [
        ("torch.relu", ["relu_1"], ["relu", "act", "relu_2"]),
        ("nn.ReLU", ["act"], ["relu", "relu_1", "relu_2"]),
        ("relu", ["relu_2"], ["relu", "act", "relu_1"]),
        ("operator.add", ["add", "add_2", "add_4"], ["add_1", "add_3"]),
        ("call_method:add", ["add_3"], ["add", "add_1", "add_2", "add_4"]),
        ("torch.Tensor.add_", [], ["add", "add_1", "add_2", "add_3", "add_4"]),
        ("block.bn", ["block_bn"], []),
        ("torch.batch_norm", [], ["block_bn"]),
        ("passes.py:is_rectifier", ["relu", "relu_1"], ["act", "relu_2"]),
        ("torch.cumsum", [], []),
    ],
)
def test_a_pattern_takes_and_just_misses(pattern: str, taken: list[str], missed: list[str]) -> None:
    report = transform(matches=pattern)
    assert [match.name for match in report.matches if match.taken] == taken
    assert [match.name for match in report.matches if not match.taken] == missed
    assert all(match.trigger is not None for match in report.matches)


@pytest.mark.parametrize(
    ("passes", "matches", "error", "words"),
    [
        (["passes.py:nothing"], "", UsageError, "has no 'nothing'"),
        (["passes.py:not_a_pass"], "", UsageError, "is not a pass"),
        (["passes.py"], "", UsageError, "choose one"),
        (["raises.py:any"], "", InputError, "raised RuntimeError: no such luck"),
        (["missing.py:any"], "", FxanchorError, "missing.py"),
        (["torch.relu"], "", UsageError, "names no pass"),
        ([], "passes.py:bad_predicate", InputError, "AttributeError"),
        ([], "passes.py:PAIR", UsageError, "is not a predicate"),
    ],
)
def test_what_is_no_pass_or_pattern_is_said(
    passes: list[str], matches: str, error: type[FxanchorError], words: str
) -> None:
    with pytest.raises(error, match=re.escape(words)):
        transform(*passes, matches=matches)


def test_a_file_with_one_pass_needs_no_name() -> None:
    assert transform("alone.py").stages[0].name == "alone.py:only"


def test_it_runs_in_a_child_process() -> None:
    spec = parse_model("net.py:evaluated()", inputs="2x3x8x8")
    report = transform_model(spec, ["passes.py:ReluToGelu"])
    assert report == transform("passes.py:ReluToGelu")


def test_watching_leaves_torch_as_it_was() -> None:
    from torch import fx

    def patched() -> list[Any]:
        return [fx.Graph.create_node, fx.Graph.node_copy, fx.Interpreter.run_node, vars(fx.Node).get("__setattr__")]

    before = patched()
    transform("passes.py:raises_half_way")
    assert patched() == before


@pytest.mark.parametrize(
    ("model", "inputs", "error", "words"),
    [
        ("../models/branching.py", "", CaptureError, "fxanchor trace ../models/branching.py"),
        ("net.py:evaluated()", "7", UsageError, "raises on these inputs"),
        ("net.py:Missing", "", UsageError, "Missing"),
    ],
)
def test_a_model_that_cannot_be_transformed_is_said(
    model: str, inputs: str, error: type[FxanchorError], words: str
) -> None:
    spec = parse_model(model, inputs=inputs)
    with pytest.raises(error, match=re.escape(words)):
        run_passes(spec, ["passes.py:PAIR"], "", 1e-5)
