"""The capture starts: what exists when, and what is patched."""

import math
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import torch
from torch import fx, nn

LAB = {
    "statement": "A breakpoint at the entry of symbolic_trace shows the tracer and the graph it fills.",
    "said_by": "common belief",
    "verdict": "does not hold",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "At the entry of symbolic_trace there is only the model. The tracer is made on its first line and has "
    "no graph; Tracer.trace makes the graph, empty, and only then patches Module.__call__, Module.__getattr__ and "
    "the math functions, runs your forward once on proxies and takes the patches away again.",
    "break_at": ("torch.fx._symbolic_trace.symbolic_trace", "torch.fx._symbolic_trace.Tracer.trace"),
}


class Net(nn.Module):
    """A model that notes what is patched while its forward runs."""

    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(2, 2)
        self.seen: dict[str, Any] = {}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Note the patches, then compute."""
        self.seen = {"argument": type(x).__name__, **methods()}
        return torch.relu(self.lin(x))


def methods() -> dict[str, Any]:
    """Return what a trace may patch."""
    return {"call": nn.Module.__call__, "getattr": nn.Module.__getattr__, "sqrt": math.sqrt}


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Follow the trace of a small model with the interpreter's own tracing hook, as a debugger would."""
    seen: dict[str, Any] = {}

    def follow(frame: FrameType, event: str, _value: object) -> Any:
        name, variables = frame.f_code.co_name, frame.f_locals
        if "_symbolic_trace" not in frame.f_code.co_filename or name not in ("symbolic_trace", "trace"):
            return None
        if event == "call":
            seen.setdefault(name, sorted(variables))
        if event == "line" and "tracer" in variables:
            seen.setdefault("tracer has a graph", hasattr(variables["tracer"], "graph"))
        if event == "line" and name == "trace" and hasattr(variables["self"], "graph"):
            seen.setdefault("nodes in the new graph", len(variables["self"].graph.nodes))
        return follow

    net, before, previous = Net(), methods(), sys.gettrace()
    sys.settrace(follow)
    try:
        traced = fx.symbolic_trace(net)
    finally:
        sys.settrace(previous)
    yield "variables at the entry of symbolic_trace", seen["symbolic_trace"], "tracer" in seen["symbolic_trace"]
    yield "the tracer, once made, has a graph", seen["tracer has a graph"], seen["tracer has a graph"]
    yield "nodes in the graph when Tracer.trace has made it", seen["nodes in the new graph"], None
    yield "what forward gets in place of a tensor", net.seen["argument"], None
    patched = [name for name in before if net.seen[name] is not before[name]]
    yield "patched while forward runs (Module.__call__, Module.__getattr__, math.sqrt)", patched, None
    yield "still patched afterwards", [name for name in before if methods()[name] is not before[name]], None
    yield "nodes in the end", [node.name for node in traced.graph.nodes], None
