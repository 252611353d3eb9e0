"""Going on behind a blocker: the failing expression is given a value that it could have had."""

import ast
import operator
from collections.abc import Callable, Sized
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
_MOST_ITEMS = 64


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
    evaluate: Callable[[fx.Proxy], object]
    _once: set[int] = field(default_factory=set)

    def __call__(self, key: int, mode: Mode, count: int, thunk: Callable[[], Any]) -> object:
        """The value of the failing expression: the true one where it is known, else one that it could have."""
        if mode == "empty":
            return {}
        if mode == "tensor":
            tracer = self.tracer()
            return None if tracer is None else tracer.create_proxy("call_function", skipped, (), {})
        value = _or_nothing(thunk)
        if not isinstance(value, fx.Proxy) and mode in ("items", "number"):
            return value
        known = self.evaluate(value) if isinstance(value, fx.Proxy) else None
        if mode == "items":
            assert isinstance(value, fx.Proxy)
            length = len(known) if isinstance(known, Sized) else count
            return [operator.getitem(value, index) for index in range(min(length, _MOST_ITEMS))]
        if mode in ("number", "integer"):
            return known if isinstance(known, int | float) else count
        if isinstance(known, bool):
            return known and (mode != "once" or self._first(key))
        return self._first(key) if mode == "once" else mode == "true"

    def _first(self, key: int) -> bool:
        """Whether a loop asks for the first time."""
        first = key not in self._once
        self._once.add(key)
        return first


def _or_nothing(thunk: Callable[[], Any]) -> object:
    """The value of an expression, or None when computing it is what fails."""
    try:
        return thunk()
    except Exception:
        return None


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
