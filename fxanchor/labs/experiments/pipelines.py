"""Pipelines of transforms: shared graphs, order, and a stage that fails."""

import copy
from collections.abc import Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import fx

LAB = {
    "statement": "A transform that raises leaves the module it was given as it was.",
    "said_by": "common belief",
    "verdict": "does not hold",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "A transform that edits in place has already edited what it passed before it raised. Work on a deep "
    "copy, or build a new graph (Transformer, graph_copy), and hand it on only when done. GraphModule(root, graph) "
    "shares the graph it is given: two modules then have one graph and each its own compiled code. Order matters, "
    "because each stage sees what the one before it wrote.",
    "break_at": ("torch.fx.graph_module.GraphModule.__init__", "torch.fx.graph.Graph.graph_copy"),
}


def model(x: torch.Tensor) -> torch.Tensor:
    """Rectify twice."""
    return torch.relu(torch.relu(x) - 1)


def retarget(gm: fx.GraphModule, old: Any, new: Any) -> fx.GraphModule:
    """Replace one function by another, in place."""
    for node in gm.graph.nodes:
        if node.target is old:
            node.target = new
    gm.recompile()
    return gm


def failing(gm: fx.GraphModule) -> fx.GraphModule:
    """Edit the first rectifier, then raise."""
    for node in gm.graph.nodes:
        if node.target is torch.relu:
            node.target = torch.tanh
            gm.recompile()
            raise ValueError("the second half of this transform failed")
    return gm


class Failing(fx.Transformer):
    """Raise in the middle of building the new graph."""

    def call_function(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Raise at the subtraction."""
        if target is not torch.relu:
            raise ValueError("the second half of this transform failed")
        return super().call_function(torch.tanh, args, kwargs)


def unharmed(gm: fx.GraphModule, action: Any) -> bool:
    """Run an action that raises and tell whether the module's graph is as before."""
    before = str(gm.graph)
    try:
        action()
    except ValueError:
        return str(gm.graph) == before
    raise AssertionError("the action did not raise")


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Let a stage fail in three ways, share a graph, and swap two stages."""
    gm = fx.symbolic_trace(model)
    seen = unharmed(gm, lambda: failing(gm))
    yield "editing in place, then raising: the input is as before", seen, seen
    gm = fx.symbolic_trace(model)
    seen = unharmed(gm, lambda: failing(copy.deepcopy(gm)))
    yield "the same on a deep copy: the input is as before", seen, seen
    seen = unharmed(gm, lambda: Failing(gm).transform())
    yield "a Transformer that raises: the input is as before", seen, seen
    first = fx.symbolic_trace(model)
    second = fx.GraphModule(first, first.graph)
    yield "GraphModule(first, first.graph) shares the graph", second.graph is first.graph, None
    retarget(second, torch.relu, torch.tanh)
    yield "after a transform of the second, the first module's graph has changed", "tanh" in str(first.graph), None
    yield "and the first module's code has changed", "tanh" in first.code, None
    x = torch.tensor([-1.0, 3.0])
    order = retarget(retarget(fx.symbolic_trace(model), torch.relu, F.gelu), F.gelu, torch.tanh)
    other = retarget(retarget(fx.symbolic_trace(model), F.gelu, torch.tanh), torch.relu, F.gelu)
    yield "two stages give the same in either order", torch.allclose(order(x), other(x)), None
    yield "relu to gelu, then gelu to tanh", order.code.strip(), None
    yield "gelu to tanh, then relu to gelu", other.code.strip(), None
