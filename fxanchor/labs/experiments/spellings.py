"""Matching an operation: one operation has many spellings in a graph."""

import operator
from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import fx, nn

LAB = {
    "statement": "Looking for node.target == torch.add finds every addition.",
    "said_by": "common belief",
    "verdict": "does not hold",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "The graph keeps what you wrote: operator.add for +, += and 1 + x, torch.add, the methods add and "
    "add_, a module. A pass must name every spelling or normalise first. fxanchor transform --matches shows what a "
    "condition takes on your model and what it just misses.",
    "break_at": (
        "torch.fx.proxy._scope.<locals>.impl",
        "torch.fx.proxy._define_reflectable.<locals>.impl",
        "torch.fx.proxy.Proxy.__torch_function__",
    ),
}


def in_place(x: Any) -> Any:
    """Add by +=."""
    x += 1
    return x


ADDITIONS: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("torch.add(x, 1)", lambda x: torch.add(x, 1)),
    ("x + 1", lambda x: x + 1),
    ("1 + x", lambda x: 1 + x),
    ("x += 1", in_place),
    ("operator.add(x, 1)", lambda x: operator.add(x, 1)),
    ("x.add(1)", lambda x: x.add(1)),
    ("x.add_(1)", lambda x: x.add_(1)),
    ("x.__radd__(1)", lambda x: x.__radd__(1)),
    ("torch.Tensor.add(x, 1)", lambda x: torch.Tensor.add(x, 1)),
)


def spelling(node: fx.Node) -> str:
    """Return opcode and target as text."""
    target = str(node.format_node()).partition("[target=")[2].partition("]")[0]
    return f"{node.op} {target}"


def operation(node: fx.Node, modules: dict[str, nn.Module]) -> str:
    """Return the bare name of what a node computes, whatever the spelling."""
    if node.op == "call_module":
        return type(modules[str(node.target)]).__name__.lower()
    name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
    name = name.strip("_")
    stripped = {"iadd": "add", "radd": "add", "imul": "mul", "rmul": "mul", "isub": "sub", "rsub": "sub"}
    return stripped.get(name, name)


def experiment(model: nn.Module, _inputs: tuple[Any, ...]) -> Iterator[tuple[str, object, bool | None]]:
    """Trace nine ways to add one, three ways to rectify, then count the spellings in the model."""
    for text, function in ADDITIONS:
        try:
            node = list(fx.Tracer().trace(function).nodes)[1]
            yield text, spelling(node), node.target is torch.add
        except Exception as error:
            first_line = str(error).partition("\n")[0]
            yield text, f"{type(error).__name__}: {first_line}", False
    different = {torch.relu, F.relu, torch.relu_}
    yield "torch.relu, F.relu and torch.relu_ are different objects", len(different) == 3, None
    gm = fx.symbolic_trace(model)
    modules = dict(gm.named_modules())
    found: dict[str, dict[str, int]] = {}
    for node in gm.graph.nodes:
        if node.op.startswith("call"):
            kinds = found.setdefault(operation(node, modules), {})
            kind = (
                f"call_module {type(modules[str(node.target)]).__name__}"
                if node.op == "call_module"
                else spelling(node)
            )
            kinds[kind] = kinds.get(kind, 0) + 1
    for name in sorted(found):
        if len(found[name]) > 1:
            yield f"on this model, {name} is spelled", ", ".join(f"{k} ({n})" for k, n in found[name].items()), None
    yield "operations of this model that have one spelling only", sum(len(kinds) == 1 for kinds in found.values()), None
