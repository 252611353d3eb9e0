"""Parsing Python source that somebody else wrote."""

import ast
import warnings
from typing import Literal, overload


@overload
def parse_source(source: str | bytes, mode: Literal["exec"] = "exec") -> ast.Module: ...


@overload
def parse_source(source: str | bytes, mode: Literal["eval"]) -> ast.Expression: ...


def parse_source(source: str | bytes, mode: Literal["exec", "eval"] = "exec") -> ast.Module | ast.Expression:
    r"""Parse as `ast.parse` does, without a word on its style, also where CPython loses count of its recursion.

    What Python warns of, such as `"\d"`, is for whoever wrote it, and would stand in the middle of what we print.
    Up to 3.11.7, a garbage collection that parses something in the middle of a parse makes the outer one end in a
    `SystemError` (https://github.com/python/cpython/issues/106905). Nothing is wrong with the source then.

    Args:
        source: The source text.
        mode: `exec` for statements, `eval` for one expression.

    Raises:
        SyntaxError: As `ast.parse`; so are ValueError, RecursionError and MemoryError.
    """
    try:
        return _parsed(source, mode)
    except SystemError:
        return _parsed(source, mode)


def _parsed(source: str | bytes, mode: Literal["exec", "eval"]) -> ast.Module | ast.Expression:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source, mode="eval") if mode == "eval" else ast.parse(source)
