"""Silent wrongs: the trace raises nothing and the graph does something else."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import fx, nn

LAB = {
    "statement": "When symbolic_trace raises nothing, the traced module computes what the model computes.",
    "said_by": "common belief",
    "verdict": "does not hold",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "The trace runs your Python once. Whatever Python decides by itself is decided then: is None, "
    "isinstance, random draws, tensors made without a traced value, try and except. Compare the traced module with "
    "the model on inputs that take both sides; fxanchor trace warns of these places.",
    "break_at": ("torch.fx._symbolic_trace.Tracer.trace", "torch.fx._symbolic_trace.Tracer.create_arg"),
}


def optional(x: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    """Branch on whether an argument was given."""
    return x if bias is None else x + 1


def by_type(x: Any) -> Any:
    """Branch on the type."""
    return x + 1 if isinstance(x, torch.Tensor) else x


def random(x: torch.Tensor) -> torch.Tensor:
    """Add noise."""
    return x + torch.randn(3)


def guarded(x: torch.Tensor) -> torch.Tensor:
    """Fall back on any error."""
    try:
        return x * 2 if x.sum() > 0 else x
    except Exception:
        return x - 1


class NoGrad(nn.Module):
    """A model that detaches part of itself by a context."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Multiply without recording gradients."""
        with torch.no_grad():
            return x * self.weight


class Counting(nn.Module):
    """A model that keeps a count of its calls."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Count and scale by the count."""
        self.calls += 1
        return x * self.calls


class Shared(nn.Module):
    """A model that writes into a tensor it makes."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Add the input to a new tensor of zeros."""
        total = torch.zeros(3)
        total += x
        return total


def same(traced: Callable[..., Any], model: Callable[..., Any], calls: int = 2) -> bool:
    """Compare the last of some calls."""
    x = torch.ones(3)
    for _ in range(calls):
        result, expected = traced(x), model(x)
    return torch.equal(result, expected)


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Trace models that trace without an error, and compare what they compute."""
    text = "the traced module computes the same"
    for name, function in (("if bias is None", optional), ("isinstance(x, torch.Tensor)", by_type), ("try", guarded)):
        seen = same(fx.symbolic_trace(function), function)
        yield f"{name}: {text}", seen, seen
    traced = fx.symbolic_trace(random)
    drawn_anew = not torch.equal(traced(torch.ones(3)), traced(torch.ones(3)))
    yield "torch.randn(3): drawn anew in each call", drawn_anew, drawn_anew
    seen = same(fx.symbolic_trace(Counting()), Counting())
    yield f"self.calls += 1: {text}", seen, seen
    seen = same(fx.symbolic_trace(Shared()), Shared())
    yield f"total = torch.zeros(3); total += x: {text}", seen, seen
    model = NoGrad()
    seen = fx.symbolic_trace(model)(torch.ones(3)).requires_grad == model(torch.ones(3)).requires_grad
    yield "with torch.no_grad(): the result asks for gradients as the model's does", seen, seen
