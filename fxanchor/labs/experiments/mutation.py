"""Mutation: in-place operations in a graph, and the option to refuse them."""

from collections.abc import Iterator

import torch
from torch import fx

LAB = {
    "statement": "A mutating operation can be made to raise an error when it is captured.",
    "said_by": "paper 5.6",
    "verdict": "does not hold",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "Set check_mutable_operations on the Tracer and it raises for functions such as torch.relu_, not for "
    "methods such as x.add_, which are recorded by name only. In a graph mutation is undefined behaviour: dead-code "
    "elimination takes an in-place call whose result is not used for dead, and removes it.",
    "break_at": ("torch.fx.proxy.TracerBase.create_node", "torch.fx.graph.Graph.eliminate_dead_code"),
}


def method(x: torch.Tensor) -> torch.Tensor:
    """Mutate the argument by a method; the result of the call is not used."""
    x.add_(1)
    return x


def function(x: torch.Tensor) -> torch.Tensor:
    """Mutate the argument by a function; the result of the call is not used."""
    torch.relu_(x)
    return x


class Checking(fx.Tracer):
    """A tracer that refuses mutation."""

    def __init__(self) -> None:
        super().__init__()
        self.check_mutable_operations = True


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Capture mutation without and with the check, then eliminate dead code."""
    for name, forward in (("torch.relu_(x)", function), ("x.add_(1)", method)):
        gm = fx.symbolic_trace(forward)
        yield f"{name}, by default", gm.code.strip(), None
        try:
            Checking().trace(forward)
            seen = "recorded"
        except RuntimeError as error:
            seen = f"RuntimeError: {error}".partition(". ")[0]
        yield f"{name}, with check_mutable_operations", seen, seen != "recorded"
        before = gm(torch.tensor([-3.0]))
        gm.graph.eliminate_dead_code()
        gm.recompile()
        same = torch.equal(gm(torch.tensor([-3.0])), before)
        yield f"{name}: the module computes the same after eliminate_dead_code", same, None
