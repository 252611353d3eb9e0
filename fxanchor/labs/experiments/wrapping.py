"""Autowrapped math, torch.fx.wrap and autowrap_functions: calls that the trace records without entering them."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import fx

LAB = {
    "statement": "Functions of math are recorded as they stand; another function is recorded whole only when wrapped.",
    "said_by": "documentation: torch.fx.wrap, torch.fx.Tracer",
    "verdict": "holds",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "A plain function is simply run on proxies, so its inside is recorded, or fails. wrap marks a name of "
    "the module that calls it: write torch.fx.wrap('name') at the top of the file that uses the name. A Tracer takes "
    "functions by autowrap_functions. Built-ins such as len need the same treatment.",
    "break_at": (
        "torch.fx._symbolic_trace.wrap",
        "torch.fx._symbolic_trace._patch_wrapped_functions",
        "torch.fx._symbolic_trace._create_wrapped_func.<locals>.wrapped",
    ),
}


def plain(x: torch.Tensor) -> torch.Tensor:
    """Compute something; not wrapped."""
    return x * 2 + 1


def branching(x: torch.Tensor) -> torch.Tensor:
    """Branch on a value; wrapped below, so that the trace need not enter it."""
    return x if x.sum() > 0 else -x


def given(x: torch.Tensor) -> torch.Tensor:
    """Branch on a value; handed to the Tracer."""
    return x if x.sum() > 0 else -x


fx.wrap("branching")
fx.wrap("len")


def targets(function: Callable[..., Any], tracer: fx.Tracer) -> str:
    """Trace a function and tell what the nodes between its ends call."""
    try:
        graph = tracer.trace(function)
    except Exception as error:
        first_line = str(error).partition("\n")[0]
        return f"{type(error).__name__}: {first_line}"
    called = [node for node in graph.nodes if node.op.startswith("call")]
    return ", ".join(str(node.format_node()).partition("target=")[2].partition("]")[0] for node in called)


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Trace calls of wrapped and unwrapped functions."""
    seen = targets(lambda x: x * math.sqrt(x.size(1)), fx.Tracer())
    yield "math.sqrt(x.size(1))", seen, "math.sqrt" in seen
    seen = targets(lambda x: plain(x) + 0, fx.Tracer())
    yield "a plain function: its inside is recorded", seen, "add" in seen and "plain" not in seen
    seen = targets(lambda x: given(x) + 0, fx.Tracer())
    yield "a plain function that branches", seen, seen.startswith("TraceError")
    seen = targets(lambda x: branching(x) + 0, fx.Tracer())
    yield "the same, wrapped by torch.fx.wrap", seen, "branching" in seen
    seen = targets(lambda x: given(x) + 0, fx.Tracer(autowrap_functions=(given,)))
    yield "the same, in autowrap_functions of the Tracer", seen, "given" in seen
    seen = targets(lambda x: x * len(x), fx.Tracer())
    yield "len(x), wrapped by torch.fx.wrap('len')", seen, "len" in seen
    try:
        fx.wrap("plain")
        seen = "accepted"
    except NotImplementedError as error:
        seen = f"NotImplementedError: {error}"
    yield "torch.fx.wrap called inside a function", seen, seen != "accepted"
