"""Leaf modules: where the trace stops opening modules."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import fx, nn

LAB = {
    "statement": "PyTorch's own modules stay whole and the user's are opened; is_leaf_module changes which.",
    "said_by": "paper 5.2",
    "verdict": "holds",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "A module is kept whole when its class is defined inside torch.nn and is not a Sequential. So a "
    "subclass of nn.Linear in your own file is opened. The more is opened, the more nodes, and the weights that a "
    "leaf hid become get_attr nodes; some modules of torch.nn cannot be opened because they branch on sizes.",
    "break_at": (
        "torch.fx._symbolic_trace.Tracer.is_leaf_module",
        "torch.fx._symbolic_trace.Tracer.call_module",
    ),
}


def count(model: nn.Module, leaf: Callable[[nn.Module], bool] | None) -> tuple[str, list[str] | None, list[fx.Node]]:
    """Trace with another rule for leaves; tell the number of nodes, the weights that show, and the nodes."""

    class Chosen(fx.Tracer):
        def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
            return super().is_leaf_module(m, module_qualified_name) if leaf is None else leaf(m)

    try:
        nodes = list(Chosen().trace(model).nodes)
    except Exception as error:
        first_line = str(error).partition("\n")[0]
        return f"cannot be opened: {type(error).__name__}: {first_line}", None, []
    weights = sorted({str(node.target) for node in nodes if node.op == "get_attr"})
    return f"{len(nodes)} nodes; weights read: {', '.join(weights) or 'none'}", weights, nodes


def all_leaves_but(kind: type[nn.Module]) -> Callable[[nn.Module], bool]:
    """Return the usual rule for leaves, with one class opened."""
    usual = fx.Tracer().is_leaf_module
    return lambda module: type(module) is not kind and usual(module, "")


class Own(nn.Linear):
    """A subclass of a leaf class, defined outside torch.nn."""


def experiment(model: nn.Module, _inputs: tuple[Any, ...]) -> Iterator[tuple[str, object, bool | None]]:
    """Trace the model with different rules for what is a leaf."""
    text, weights, nodes = count(model, None)
    modules = dict(model.named_modules())
    leaves = [type(modules[str(node.target)]) for node in nodes if node.op == "call_module"]
    yield "default", text, all(kind.__module__.startswith(("torch.nn", "torch.ao.nn")) for kind in leaves)
    text, _, nodes = count(model, lambda _module: True)
    calls = [node.op for node in nodes].count("call_module")
    children = len(list(model.children()))
    yield "every module a leaf", f"{text}; {calls} module calls, the model has {children} children", None
    text, _, _ = count(model, lambda _module: False)
    yield "no module a leaf", text, None
    for kind in sorted(set(leaves), key=lambda kind: kind.__name__):
        text, opened, _ = count(model, all_leaves_but(kind))
        owned = {
            f"{path}.{name}"
            for path, module in model.named_modules()
            if type(module) is kind
            for name, _ in module.named_parameters()
        }
        shown = None if opened is None or not owned else bool(owned & (set(opened) - set(weights or ())))
        yield f"{kind.__name__} opened", text, shown
    own = nn.Sequential(Own(2, 2))
    graph = fx.Tracer().trace(own)
    yield (
        "a subclass of nn.Linear outside torch.nn",
        [node.op for node in graph.nodes][1:-1],
        any(node.target is torch.nn.functional.linear for node in graph.nodes),
    )
