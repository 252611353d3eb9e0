"""Arguments of forward: placeholders, defaults, concrete_args and *args."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import fx

LAB = {
    "statement": "An argument that has a default keeps its default while tracing, so that a flag can be branched on.",
    "said_by": "common belief",
    "verdict": "does not hold",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "Every argument becomes a placeholder and a proxy, flags and None too; the default only stands in the "
    "generated signature. concrete_args fixes an argument, and the traced code then refuses any other value for it. "
    "*args is one proxy: it can be indexed but not spread out again.",
    "break_at": (
        "torch.fx._symbolic_trace.Tracer.create_args_for_root",
        "torch.fx._symbolic_trace.Tracer._proxy_placeholder",
    ),
}


def flagged(x: torch.Tensor, double: bool = True) -> torch.Tensor:
    """Branch on a flag."""
    return x * 2 if double else x


def optional(x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    """Branch on whether an argument was given."""
    return x if mask is None else x * mask


def spread(*args: torch.Tensor) -> torch.Tensor:
    """Index the arguments."""
    return args[0] + args[1]


def passed_on(*args: torch.Tensor) -> torch.Tensor:
    """Spread the arguments out again."""
    return torch.cat([*args])


def attempt(action: Any) -> tuple[Any, str]:
    """Return the result and "", or None and the error in one line."""
    try:
        return action(), ""
    except Exception as error:
        first_line = str(error).partition("\n")[0]
        return None, f"{type(error).__name__}: {first_line}"


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Trace functions with defaults, with and without concrete_args."""
    _, error = attempt(lambda: fx.symbolic_trace(flagged))
    yield "if double, where double=True by default", error or "traced", not error
    graph = fx.Tracer().trace(optional)
    nodes = [node.name for node in graph.nodes]
    yield "if mask is None, where mask=None by default: nodes recorded", nodes, "mul" not in nodes
    yield "the default stands in the placeholder", next(n for n in graph.nodes if n.name == "mask").args, None
    x = torch.tensor([1.0, -2.0])
    fixed = fx.symbolic_trace(flagged, concrete_args={"double": False})
    yield "with concrete_args={'double': False} the flag is gone from the path", fixed.code.strip(), None
    _, error = attempt(lambda: fixed(x, True))
    yield "calling that with double=True", error or "accepted", None
    fixed = fx.symbolic_trace(optional, concrete_args={"mask": None})
    yield "concrete_args={'mask': None} gives the model's result", torch.equal(fixed(x), optional(x)), None
    graph = fx.Tracer().trace(spread)
    yield "*args, indexed", [str(node.format_node()) for node in graph.nodes][:3], None
    _, error = attempt(lambda: fx.symbolic_trace(passed_on))
    yield "*args, spread out again", error or "traced", None
