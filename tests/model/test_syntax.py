"""Parsing what somebody else wrote: quietly, also where CPython loses count of its own recursion."""

import ast
import warnings
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest

from fxanchor.breakpoints.lines import stop_at
from fxanchor.breakpoints.watch import compile_watch
from fxanchor.model.inputs import parse_inputs
from fxanchor.model.spec import parse_model
from fxanchor.model.syntax import parse_source


def test_a_miscount_of_the_interpreter_is_not_taken_for_a_fault_of_the_source() -> None:
    miscounted = SystemError("AST constructor recursion depth mismatch (before=50, after=53)")
    with mock.patch.object(ast, "parse", side_effect=[miscounted, ast.Module([], [])]):
        assert isinstance(parse_source("x = 1"), ast.Module)


def test_what_is_no_python_is_refused() -> None:
    with pytest.raises(SyntaxError):
        parse_source("x = (")
    with pytest.raises(SyntaxError):
        parse_source("x = 1", mode="eval")
    assert isinstance(parse_source("x + 1", mode="eval").body, ast.BinOp)


@pytest.mark.parametrize(
    "read",
    [
        lambda _: parse_source(r'"\,"', mode="eval"),
        lambda _: parse_inputs(r'1x3, "\,"'),
        lambda _: parse_model(r'net.py:Net("\,")'),
        lambda _: compile_watch(r'"\," is 1'),
        lambda file: stop_at(file, 2, "warned.py"),
    ],
    ids=["source", "inputs", "model", "watch", "line"],
)
def test_the_style_of_what_is_read_is_not_judged(read: Callable[[Path], object], tmp_path: Path) -> None:
    file = tmp_path / "warned.py"
    file.write_text('def f():\n    return "\\,"\n', encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(file)
