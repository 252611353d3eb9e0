"""Shapes: what can be done with x.shape while tracing."""

import operator
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import fx

LAB = {
    "statement": "While tracing, shapes are proxies: to be handed on and computed with, not counted or looped over.",
    "said_by": "paper 5.3",
    "verdict": "holds",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "x.shape is recorded as getattr(x, 'shape') when it is used. Unpacking it into a fixed number of names "
    "works, because fx reads the number from the bytecode of the unpacking; iterating, len, int, range and * do not. "
    "torch.zeros takes sizes in a tuple, which torch 2.4.1 still refused. The traced code stays right for other sizes.",
    "break_at": ("torch.fx.proxy.Attribute.node", "torch.fx.proxy.Proxy.__iter__", "torch.fx.proxy.Proxy.__len__"),
}


def unpack(x: torch.Tensor) -> Any:
    """Unpack into two names."""
    rows, columns = x.shape
    return rows * columns


def loop(x: torch.Tensor) -> Any:
    """Loop over the sizes."""
    return [size for size in x.shape]  # noqa: C416


EXPRESSIONS: tuple[tuple[str, Callable[[Any], Any], bool], ...] = (
    ("x.shape", lambda x: x.shape, True),
    ("x.size(0)", lambda x: x.size(0), True),
    ("x.shape[0]", lambda x: x.shape[0], True),
    ("x.shape[0] * 2 // 3", lambda x: x.shape[0] * 2 // 3, True),
    ("x.view(x.shape[0], -1)", lambda x: x.view(x.shape[0], -1), True),
    ("rows, columns = x.shape", unpack, True),
    ("operator.index(x.shape[0])", lambda x: operator.index(x.shape[0]), False),
    ("x.view(*x.shape)", lambda x: x.view(*x.shape), False),
    ("for size in x.shape", loop, False),
    ("len(x.shape)", lambda x: len(x.shape), False),
    ("int(x.shape[0])", lambda x: int(x.shape[0]), False),
    ("range(x.shape[0])", lambda x: range(x.shape[0]), False),
    ("torch.zeros(x.shape[0], 2)", lambda x: torch.zeros(x.shape[0], 2), False),
    ("torch.zeros((x.shape[0], 2))", lambda x: torch.zeros((x.shape[0], 2)), True),
)


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Trace each use of a shape."""
    for text, function, works in EXPRESSIONS:
        try:
            graph = fx.Tracer().trace(function)
        except Exception as error:
            first_line = str(error).partition("\n")[0]
            yield text, f"{type(error).__name__}: {first_line}", not works
        else:
            yield text, ", ".join(node.name for node in graph.nodes), works
    traced = fx.symbolic_trace(unpack)
    seen = [traced(torch.ones(2, 3)), traced(torch.ones(4, 5))]
    yield "the traced unpacking, run on 2x3 and 4x5", seen, seen == [6, 20]
