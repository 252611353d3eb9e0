"""The ladder: which rung takes a model, what is said of the steps, and what inputs add."""

import re
import shutil
import subprocess
import textwrap
from pathlib import Path
from typing import Any

import pytest
import torch
from helpers.models import capture_case, case, load_file
from torch import nn

from fxanchor.model.capture import capture
from fxanchor.model.options import CaptureOptions
from fxanchor.model.report import Capture


def steps(found: Capture) -> list[tuple[str, bool]]:
    """The rungs that were tried and whether they took the model."""
    return [(step.rung, step.ok) for step in found.steps]


def test_without_inputs_the_lower_rungs_say_what_they_need() -> None:
    found = capture_case("control_flow_shape_assert")
    assert steps(found) == [("symbolic_trace", False), ("export", False), ("eager", False)]
    assert (found.ok, found.rung, found.steps[0].blocker) == (False, "none", 0)
    assert "--input" in found.steps[1].reason


def test_export_takes_what_symbolic_trace_does_not() -> None:
    found = capture_case("control_flow_shape_assert", "int64[2,5]<10")
    assert steps(found) == [("symbolic_trace", False), ("export", True)]
    row = next(row for row in found.nodes if row.target == "torch.ops.aten.embedding.default")
    assert row.trigger is not None
    assert (row.trigger.line, row.trigger.col, row.trigger.expression) == (13, 15, "self.emb(idx)")
    assert (row.shape, row.dtype, row.module_path) == ((2, 5, 4), "float32", "emb")
    assert {row.name: row.mechanism for row in found.nodes} == {
        "p_emb_weight": "parameter read",
        "idx": "argument",
        "embedding": "recorded call",
        "output": "return value",
    }


def test_a_result_that_export_cannot_take_apart_is_placed_at_its_return(tmp_path: Path) -> None:
    path = tmp_path / "result.py"
    path.write_text(
        textwrap.dedent(
            """\
            from torch import nn


            class Result:
                def __init__(self, value):
                    self.value = value


            class Net(nn.Module):
                def forward(self, x):
                    if x.shape[0] > 2:
                        return x
                    return Result(x * 2)
            """
        ),
        encoding="utf-8",
    )
    found = capture(load_file(path, "2x4"), CaptureOptions())
    step = found.steps[1]
    assert (step.rung, step.ok, found.rung) == ("export", False, "eager")
    assert step.blocker is not None
    stop = found.blockers[step.blocker]
    assert (stop.kind, stop.line, stop.expression) == ("export-failure", 13, "return Result(x * 2)")


def test_eager_takes_what_depends_on_data() -> None:
    found = capture_case("control_flow_ifexp", "2x4")
    assert steps(found) == [("symbolic_trace", False), ("export", False), ("eager", True)]
    calls = [row for row in found.nodes if row.op.startswith("call")]
    assert [row.trigger.expression for row in calls if row.trigger][:2] == ["x.mean()", "x.mean() > 0"]
    assert calls[-1].trigger is not None and calls[-1].trigger.expression == "y + 1"
    assert calls[-1].shape == (2, 4)
    assert found.steps[1].blocker == 0, "export stops at the same expression"


def test_a_rung_can_be_forced() -> None:
    found = capture_case("silent_training", "2x4", rung="eager")
    assert steps(found) == [("eager", True)]
    assert found.nodes[1].target == "torch.nn.functional.dropout"


def test_shapes_and_types_with_inputs() -> None:
    found = capture_case("silent_no_grad", "2x4")
    assert [(row.name, row.shape, row.dtype) for row in found.nodes] == [
        ("x", (2, 4), "float32"),
        ("lin", (2, 4), "float32"),
        ("mul", (2, 4), "float32"),
        ("output", None, ""),
    ]


def test_a_model_that_fails_in_eager_mode_is_told_so() -> None:
    found = capture_case("control_flow_shape_if", "1x4x2x2")
    assert [(b.kind, b.line) for b in found.blockers] == [("eager-failure", 7), ("control-flow-shape", 6)]
    assert found.steps[1].reason == "the model itself fails on these inputs"


def test_the_first_node_that_differs() -> None:
    found = capture_case("silent_buffer_written", "2x4")
    differs = [b for b in found.blockers if b.kind == "differs"]
    assert [(b.line, b.col, b.silent) for b in differs] == [(11, 8, True)]


@pytest.mark.parametrize("name", ["silent_random_constant", "silent_training", "silent_custom_backward"])
def test_a_graph_that_gives_the_same_is_not_said_to_differ(name: str) -> None:
    found = capture_case(name, "2x4")
    assert all(b.kind != "differs" for b in found.blockers)


def test_a_model_without_data_is_captured(tmp_path: Path) -> None:
    path = tmp_path / "large.py"
    path.write_text(
        "import torch\nfrom torch import nn\n\nwith torch.device('meta'):\n"
        "    model = nn.Sequential(nn.Linear(60_000, 60_000), nn.ReLU())\n",
        encoding="utf-8",
    )
    found = capture(load_file(path, "2x60000"), CaptureOptions())
    assert found.rung == "symbolic_trace"
    assert [row.shape for row in found.nodes[:3]] == [(2, 60_000)] * 3


def test_the_branch_that_sizes_decide_is_followed_when_inputs_tell_them(tmp_path: Path) -> None:
    path = tmp_path / "branches.py"
    path.write_text(
        textwrap.dedent(
            """\
            from torch import nn


            class Net(nn.Module):
                def forward(self, x):
                    if x.size(0) > 5:
                        return int(x.size(1))
                    return len(x)
            """
        ),
        encoding="utf-8",
    )
    few = capture(load_file(path, "2x4"), CaptureOptions(only_fx=True))
    many = capture(load_file(path, "8x4"), CaptureOptions(only_fx=True))
    assert [b.kind for b in few.blockers] == ["control-flow-shape", "len"]
    assert [b.kind for b in many.blockers] == ["control-flow-shape", "number"]


def test_the_search_for_blockers_is_bounded() -> None:
    found = capture_case("several", only_fx=True, max_blockers=2)
    assert [b.kind for b in found.blockers if not b.silent] == ["control-flow-shape", "sizes"]
    assert any("2 blockers" in note for note in found.notes)


def test_a_deep_model_is_captured(tmp_path: Path) -> None:
    module: nn.Module = nn.Identity()
    for _ in range(60):
        module = nn.Sequential(module)
    found = capture(load_file(case("silent_training")).__class__(module, tmp_path / "deep.py"), CaptureOptions())
    assert found.ok


def test_methods_that_the_graph_module_has_not(tmp_path: Path) -> None:
    path = tmp_path / "methods.py"
    path.write_text(
        "from torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n        return x * 2\n\n"
        "    def generate(self, x):\n        return self(x)\n",
        encoding="utf-8",
    )
    found = capture(load_file(path), CaptureOptions())
    assert "The GraphModule has only forward; it has lost generate of Net." in found.notes


def test_the_fix_is_a_tracer_that_runs() -> None:
    found = capture_case("buffer_slice", only_fx=True)
    scope: dict[str, object] = {}
    exec(compile(found.fix, "tracer.py", "exec"), scope)
    graph_module = scope["capture"](load_file(case("buffer_slice")).module)  # type: ignore[operator]
    assert isinstance(graph_module, torch.fx.GraphModule)
    assert graph_module(torch.zeros(1, 4, 8)).shape == (1, 4, 8)


def run_fix(name: str, folder: Path) -> torch.fx.GraphModule:
    """Do what a user does with a fix: apply the diff to the file, and run the tracer on its model."""
    found = capture_case(name, only_fx=True)
    file = folder / f"{name}.py"
    file.write_bytes(case(name).read_bytes())
    if found.diff:
        subprocess.run(["patch", "--quiet", str(file)], input=found.diff, text=True, check=True)
    scope: dict[str, Any] = {}
    exec(compile(found.fix, "tracer.py", "exec"), scope)
    traced = scope["capture"](load_file(file).module)
    assert isinstance(traced, torch.fx.GraphModule)
    return traced


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("decorated_forward", "child_lin"),
        ("einops_function", "rearrange"),
        ("integer_flag", "relu_2"),
        ("item_assignment", "set_item"),
        ("item_augmented", "set_item_1"),
        ("opened_root", "child"),
        ("unregistered_global", "activation"),
        ("unregistered_in_forward", "relu"),
        ("unregistered_list", "convs_0"),
        ("sizes_zeros", "zeros"),
    ],
)
@pytest.mark.skipif(shutil.which("patch") is None, reason="needs patch")
def test_what_the_fix_says_is_all_that_it_takes(name: str, call: str, tmp_path: Path) -> None:
    assert call in {node.name for node in run_fix(name, tmp_path).graph.nodes}


@pytest.mark.skipif(shutil.which("patch") is None, reason="needs patch")
def test_a_fix_that_goes_only_part_of_the_way_says_what_is_left(tmp_path: Path) -> None:
    found = capture_case("small_mixer", only_fx=True)
    left = "small_mixer.py:43 int(x.shape[1] ** 0.5) (number)."
    assert left in found.fix and left in found.diff.splitlines()[0]
    with pytest.raises(TypeError, match=re.escape("int() argument must be")):
        run_fix("small_mixer", tmp_path)


def test_a_flag_that_is_baked_is_checked_by_the_graph(tmp_path: Path) -> None:
    traced = run_fix("control_flow_flag", tmp_path)
    x = torch.zeros(2, 4)
    assert traced(x, True).shape == (2, 4)
    with pytest.raises(AssertionError, match="has_mask has been specialized to have value True"):
        traced(x, False)


def test_there_is_no_fix_when_no_recipe_was_verified() -> None:
    found = capture_case("control_flow_while", only_fx=True)
    assert (found.fix, found.diff) == ("", "")


def test_the_diff_changes_what_the_recipes_change() -> None:
    found = capture_case("sizes_zeros", only_fx=True)
    assert "-        state = torch.zeros(b, c)\n+        state = torch.zeros((b, c))\n" in found.diff
    assert found.diff.startswith("--- a/")


def test_a_trace_that_never_ends_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "endless.py"
    path.write_text(
        "from torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n        while True:\n"
        "            abs(1)\n",
        encoding="utf-8",
    )
    found = capture(load_file(path), CaptureOptions(only_fx=True, rung_seconds=0.5))
    assert [(step.rung, step.ok, step.reason) for step in found.steps] == [("symbolic_trace", False, "the time was up")]


def test_a_loop_that_is_long_to_look_at_is_captured_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "long.py"
    path.write_text(
        "from torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n        total = 0\n"
        "        for step in range(3_000_000):\n            total = total + step\n        return x * total\n",
        encoding="utf-8",
    )
    found = capture(load_file(path), CaptureOptions(seconds=0.3))
    assert found.rung == "symbolic_trace"
    assert "What the trace gets wrong silently is not known: the time was up." in found.notes
