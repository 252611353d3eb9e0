"""Watching a trace: what can be looked at without changing the graph, and what cannot."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import fx

LAB = {
    "statement": "Looking at a variable in the debugger changes nothing.",
    "said_by": "common belief",
    "verdict": "does not hold",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "A proxy records what is done to it, also by a debugger: showing y.shape, y == z or y[0] each leaves "
    "a node in the graph. Look at y itself, y.node, its op, target, args and meta, type(y), vars(y) or the graph; "
    "those are plain values. bool(y) and len(y) raise.",
    "break_at": ("torch.fx.proxy.TracerBase.create_proxy", "torch.fx.proxy.Attribute.node"),
}

WATCHES: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("y", repr),
    ("y.node", lambda y: repr(y.node)),
    ("y.node.op, y.node.args", lambda y: repr((y.node.op, y.node.args))),
    ("y.node.format_node()", lambda y: y.node.format_node()),
    ("type(y)", lambda y: repr(type(y))),
    ("vars(y)", lambda y: sorted(vars(y))),
    ("y.tracer.graph", lambda y: str(y.tracer.graph)),
    ("y is None", lambda y: y is None),
    ("isinstance(y, torch.Tensor)", lambda y: isinstance(y, torch.Tensor)),
    ("y.shape", lambda y: repr(y.shape)),
    ("y.shape, taken but not shown", lambda y: y.shape is None),
    ("y == 1", lambda y: y == 1),
    ("y[0]", lambda y: y[0]),
    ("y.sum()", lambda y: y.sum()),
    ("bool(y)", bool),
    ("len(y)", len),
)


def nodes_added(watch: Callable[[Any], Any]) -> tuple[int, str]:
    """Look at a traced value inside a forward; return the number of nodes that adds, and what it raises."""
    added, raised = 0, ""

    def forward(x: Any) -> Any:
        nonlocal added, raised
        y: Any = torch.relu(x)
        nodes = y.tracer.graph.nodes
        before = len(nodes)
        try:
            watch(y)
        except Exception as error:
            raised = type(error).__name__
        added = len(nodes) - before
        return y

    fx.Tracer().trace(forward)
    return added, raised


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Look at a traced value in each way and count the nodes before and after."""
    for text, watch in WATCHES:
        added, raised = nodes_added(watch)
        seen = f"adds {added} node{'' if added == 1 else 's'}" + (f", raises {raised}" if raised else "")
        yield text, seen, not added and not raised
