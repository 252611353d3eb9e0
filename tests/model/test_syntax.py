"""Parsing where CPython may lose count of its own recursion."""

import ast
from unittest import mock

import pytest

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
