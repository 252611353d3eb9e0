"""train() and eval() after the trace: what still switches and what was baked in."""

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import fx, nn

LAB = {
    "statement": "train() and eval() switch a traced module as they switch the model.",
    "said_by": "common belief",
    "verdict": "does not hold",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "Leaf modules keep their own flag and switch. self.training in your forward is a plain bool, so its "
    "value at the time of the trace is written into the code. Trace in the mode you want, once for each, or use "
    "nn.Dropout in the place of F.dropout(x, training=self.training).",
    "break_at": ("torch.fx._symbolic_trace.Tracer.create_arg", "torch.nn.modules.module.Module.train"),
}


class ByModule(nn.Module):
    """Dropout as a module."""

    def __init__(self) -> None:
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Drop."""
        return self.drop(x)  # type: ignore[no-any-return]


class ByFlag(nn.Module):
    """Dropout as a function that is given the flag."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Drop."""
        return F.dropout(x, 0.5, self.training)


class ByBranch(nn.Module):
    """A branch on the flag."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Drop in training only."""
        return F.dropout(x, 0.5) if self.training else x


def drops(module: nn.Module) -> bool:
    """Tell whether the module sets anything to zero."""
    return bool((module(torch.ones(1000)) == 0).any())


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Trace in training mode, switch to evaluation, and compare with the model."""
    for kind in (ByModule, ByFlag, ByBranch):
        model = kind().train()
        traced = fx.symbolic_trace(model)
        yield f"{kind.__name__}: code", traced.code.strip(), None
        model.eval()
        traced.eval()
        same = drops(traced) == drops(model)
        yield f"{kind.__name__}: traced in training mode, then eval(): drops as the model does", same, same
