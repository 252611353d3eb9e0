"""From a line of generated code to its node and back, and stopping inside it."""

import sys
from pathlib import Path

import pytest

from fxanchor.breakpoints.generated import map_lines, run_from, stable_path, write_code
from fxanchor.errors import UsageError
from fxanchor.model.report import NodeRow

CODE = """
import torch

def forward(self, x : torch.Tensor, *rest, flag = None):
    w = self.w
    sub_lin: "f32[2, 4]" = self.sub.lin(x);  x = None
    iadd = sub_lin;  iadd += w;  w = None
    return (iadd, rest)
"""


def row(name: str, op: str = "call_function") -> NodeRow:
    return NodeRow(name, op, name, "constant", None)


ROWS = (
    row("x", "placeholder"),
    row("rest", "placeholder"),
    row("flag", "placeholder"),
    row("w", "get_attr"),
    row("sub_lin", "call_module"),
    row("iadd"),
    row("output", "output"),
)


def test_every_line_leads_to_its_node() -> None:
    assert [(line.line, line.node.name) for line in map_lines(CODE, ROWS)] == [
        (4, "x"),
        (4, "rest"),
        (4, "flag"),
        (5, "w"),
        (6, "sub_lin"),
        (7, "iadd"),
        (8, "output"),
    ]


def test_the_text_of_a_line_is_given() -> None:
    assert map_lines(CODE, ROWS)[3].text == "w = self.w"


def test_code_without_a_forward_is_refused() -> None:
    with pytest.raises(UsageError, match="no generated code"):
        map_lines("x = 1\n", ROWS)


def test_the_file_of_a_model_is_the_same_in_every_run_and_another_for_another_model() -> None:
    assert stable_path("net.py:Net") == stable_path("net.py:Net")
    assert stable_path("net.py:Net") != stable_path("net.py:Other")


def test_a_captured_model_runs_from_the_file_and_gives_the_same(tmp_path: Path) -> None:
    import torch
    from helpers.scenarios import load_models
    from torch import fx

    captured = fx.symbolic_trace(load_models().Net())
    x = torch.ones(2, 4)
    expected = captured(x)
    path: Path = tmp_path / "forward.py"
    write_code(captured.code, path)
    run_from(captured, captured.code, path)
    seen: set[int] = set()

    def trace(frame: object, _event: str, _arg: object) -> object:
        code, line = frame.f_code, frame.f_lineno  # type: ignore[attr-defined]
        if code.co_filename == str(path):
            seen.add(line)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        assert torch.equal(captured(x), expected)
    finally:
        sys.settrace(before)
    rows = [row(node.name, node.op) for node in captured.graph.nodes]
    lines = {line.line: line.node.name for line in map_lines(captured.code, rows)}
    assert set(lines.values()) == {node.name for node in captured.graph.nodes}
    assert seen >= set(lines)
