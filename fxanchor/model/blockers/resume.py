"""Going on behind a blocker: the failing expression is given a value that it could have had."""

import ast
import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from torch import fx

from fxanchor.model.blockers.patching import Edit
from fxanchor.model.sources import range_of

# What an expression is taken for: a truth value, true the first time only, a number, so many items of a value, no
# items, or a new unknown tensor. "nothing" leaves a statement out.
Mode = Literal["true", "false", "once", "integer", "number", "items", "empty", "tensor", "nothing"]

_HELPER = "__fxanchor_resume__"
_ITEMS = 2


def skipped() -> None:
    """Stands in a graph for an operation that could not be recorded."""


@dataclass(slots=True)
class Resumer:
    """Gives the values during one trace.

    Attributes:
        tracer: Finds the tracer of that trace.
        evaluate: Tells the true value of a Proxy where example inputs allow it, else None.
    """

    tracer: Callable[[], fx.Tracer | None]
    evaluate: Callable[[fx.Proxy], object] = lambda _proxy: None
    _once: set[int] = field(default_factory=set)

    def __call__(self, key: int, mode: Mode, count: int, thunk: Callable[[], Any]) -> object:
        """The value of the failing expression."""
        if mode in ("true", "false"):
            return mode == "true"
        if mode == "once":
            first = key not in self._once
            self._once.add(key)
            return first
        if mode == "integer":
            return count
        if mode == "empty":
            return {}
        if mode == "tensor":
            tracer = self.tracer()
            return None if tracer is None else tracer.create_proxy("call_function", skipped, (), {})
        value = thunk()
        if not isinstance(value, fx.Proxy):
            return value
        if mode == "number":
            return count
        return [operator.getitem(value, index) for index in range(count)]


def resuming_edit(filename: str, node: ast.expr | ast.stmt, mode: Mode, resumer: Resumer, count: int = _ITEMS) -> Edit:
    """The change that gives an expression a value, or leaves a statement out.

    Args:
        filename: The file.
        node: What fails.
        mode: What it is taken for.
        resumer: Gives the value.
        count: The number, or the number of items.
    """
    where = range_of(node)
    if isinstance(node, ast.stmt):
        return Edit(filename, where, True, lambda _old: [ast.Pass()])
    key = hash(where)

    def build(old: ast.expr | ast.stmt) -> ast.expr:
        assert isinstance(old, ast.expr)
        nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        arguments: list[ast.expr] = [ast.Constant(key), ast.Constant(mode), ast.Constant(count)]
        # The old expression stays in a lambda, so that the function closes over the same variables as before.
        return ast.Call(ast.Name(_HELPER, ast.Load()), [*arguments, ast.Lambda(nothing, old)], [])

    return Edit(filename, where, False, build, scope={_HELPER: resumer})
