"""Control flow: a comparison is recorded, asking it for True or False is not; four ways out."""

import operator
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import fx, nn

LAB = {
    "statement": "Comparing a traced value works; a cast to bool or int raises an error that says what and where.",
    "said_by": "paper 5.3, 5.5",
    "verdict": "holds",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "x.sum() > 0 is one more node. if, while, assert, and, or, not need a bool, and there is none yet. Ways "
    "out: compute both sides and choose (torch.where), hide the branch in a wrapped function or in a leaf module, or "
    "fix the argument it depends on (concrete_args).",
    "break_at": ("torch.fx.proxy.Proxy.__bool__", "torch.fx.proxy.TracerBase.to_bool"),
}


def branch(x: torch.Tensor) -> torch.Tensor:
    """Branch on a value."""
    return x * 2 if x.sum() > 0 else x - 1


def both(x: torch.Tensor) -> torch.Tensor:
    """Compute both sides and choose."""
    return torch.where(x.sum() > 0, x * 2, x - 1)


def hidden(x: torch.Tensor) -> torch.Tensor:
    """Branch inside a wrapped function."""
    return branch_wrapped(x)


def branch_wrapped(x: torch.Tensor) -> torch.Tensor:
    """Branch on a value; recorded as one call."""
    return branch(x)


fx.wrap("branch_wrapped")


class Branch(nn.Module):
    """A module that branches on a value."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Branch."""
        return branch(x)


def flagged(x: torch.Tensor, positive: bool) -> torch.Tensor:
    """Branch on an argument that the caller knows."""
    return x * 2 if positive else x - 1


class Whole(fx.Tracer):
    """A tracer that keeps the branching module whole."""

    def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
        """Keep Branch whole too."""
        return isinstance(m, Branch) or super().is_leaf_module(m, module_qualified_name)


def error_of(function: Callable[[Any], Any]) -> tuple[str, str]:
    """Trace; return the error in one line and the source line of this file that it names, both "" without one."""
    try:
        fx.symbolic_trace(function)
    except Exception as error:
        first_line = str(error).partition("\n")[0]
        own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == __file__]
        return f"{type(error).__name__}: {first_line}", own[-1].line or ""
    return "", ""


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Trace a comparison, the statements that need its value, and four ways out on both signs."""
    nodes = list(fx.Tracer().trace(lambda x: x.sum() > 0).nodes)
    yield "x.sum() > 0", str(nodes[-2].format_node()), nodes[-2].target is operator.gt
    for text, function in (
        ("if x.sum() > 0", branch),
        ("not x", lambda x: not x),
        ("x and y", lambda x: x and 1),
        ("0 < x < 1", lambda x: 0 < x < 1),
        ("int(x)", lambda x: x.view(int(x))),
        ("range(x)", lambda x: [x for _ in range(x)]),
    ):
        error, line = error_of(function)
        yield text, f"{error} at line: {line}" if error else "traced", "Proxy" in error or "traced variables" in error
    inputs = torch.tensor([1.0, 2.0]), torch.tensor([-1.0, -2.0])
    root = nn.Sequential(Branch())
    ways: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
        "torch.where": fx.symbolic_trace(both),
        "torch.fx.wrap": fx.symbolic_trace(hidden),
        "is_leaf_module": fx.GraphModule(root, Whole().trace(root)),
        "concrete_args": lambda x: fx.symbolic_trace(flagged, {"positive": bool(x.sum() > 0)})(x, bool(x.sum() > 0)),
    }
    for name, way in ways.items():
        same = all(torch.equal(way(x), branch(x)) for x in inputs)
        yield f"way out by {name} gives the model's result for both signs", same, same
