"""What stands in the way, in words: how silent ones are called, and the underline."""

from dataclasses import replace
from pathlib import Path

import pytest

from fxanchor.model.report import Blocker, Capture, NodeRow, Trigger
from fxanchor.sheet.blocker_text import capture_words
from fxanchor.sheet.trace_tables import own_file

FAR = "    y = attention(query, key, value, mask=None, dropout_p=self.dropout if self.training else 0, is_causal=True)"


def blocked(kind: str, expression: str, *, silent: bool = True, text: str = FAR) -> list[str]:
    """The lines about one blocker at an expression of a source line."""
    col = text.index(expression)
    one = Blocker(
        kind, "net.py", 7, col, col + len(expression), expression, "", None, "It is read once.", silent=silent
    )
    capture = Capture("net.py", "Net", "Net()", False, "none", (), (), (one,))
    return capture_words(capture, lambda _file, _line: text).splitlines()


@pytest.mark.parametrize("kind", ["training-baked", "constant-baked", "checkpoint-lost"])
def test_a_graph_that_is_right_as_traced_is_not_called_wrong(kind: str) -> None:
    assert blocked(kind, "self.training")[1].endswith(f"{kind}, silent: nothing raises")


def test_a_graph_that_took_the_other_branch_is_called_wrong() -> None:
    assert blocked("none-branch", "query")[1].endswith("none-branch, silent: nothing raises, the graph is wrong")
    assert blocked("len", "query", silent=False)[1].endswith("  len")


@pytest.mark.parametrize("expression", ["query", "self.training", "is_causal"])
def test_the_underline_is_below_the_expression_wherever_it_is(expression: str) -> None:
    source, carets = blocked("none-branch", expression)[2:4]
    begin = carets.index("^")
    assert source[begin : begin + carets.count("^")] == expression


def test_the_models_file_is_named_as_its_lines_name_it(tmp_path: Path) -> None:
    row = NodeRow("relu", "call_function", "torch.relu", "argument", Trigger("pkg/net.py", 1, 1, 0, 4, "relu"))
    capture = Capture("site/pkg/net.py", "Net", "Net()", True, "symbolic_trace", (), (row,))
    assert own_file(capture) == "pkg/net.py"
    other = replace(capture, file=str(tmp_path / "other.py"))
    assert own_file(other) == str(tmp_path / "other.py")
