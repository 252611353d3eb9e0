"""Interpreter and Transformer: which method runs for which opcode; changing every activation."""

from collections.abc import Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import fx, nn

LAB = {
    "statement": "Overriding call_function of a Transformer is enough to change every activation of a model.",
    "said_by": "common belief",
    "verdict": "does not hold",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "run_node calls the method of the opcode's name, so activations that are modules or methods go to "
    "call_module and call_method. An Interpreter runs the graph with real values; a Transformer is an Interpreter "
    "whose values are proxies, so that running it records a new graph and leaves the old one alone.",
    "break_at": (
        "torch.fx.interpreter.Interpreter.run_node",
        "torch.fx.interpreter.Transformer.transform",
        "torch.fx.interpreter.Transformer.call_function",
    ),
}

FUNCTIONS = (torch.relu, F.relu, torch.relu_)


class Counting(fx.Interpreter):
    """An interpreter that notes which method ran for which node."""

    def __init__(self, module: fx.GraphModule) -> None:
        super().__init__(module)
        self.seen: dict[str, set[str]] = {}

    def run_node(self, n: fx.Node) -> Any:
        """Note the methods that run for the node."""
        ran: list[str] = []
        for name in ("placeholder", "get_attr", "call_function", "call_method", "call_module", "output"):
            setattr(self, name, self._noting(name, ran))
        result = super().run_node(n)
        self.seen.setdefault(n.op, set()).update(ran)
        return result

    def _noting(self, name: str, ran: list[str]) -> Any:
        def method(*args: Any) -> Any:
            ran.append(name)
            return getattr(fx.Interpreter, name)(self, *args)

        return method


class Functions(fx.Transformer):
    """Replace activations that are functions."""

    def call_function(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Replace a rectifier by GELU."""
        if target in FUNCTIONS:
            return super().call_function(F.gelu, args[:1], {})
        return super().call_function(target, args, kwargs)


class Everything(Functions):
    """Replace activations in all spellings."""

    def call_method(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Replace a rectifying method by GELU."""
        if target in ("relu", "relu_"):
            return self.call_function(F.gelu, args[:1], {})
        return super().call_method(target, args, kwargs)

    def call_module(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Replace a rectifying module by GELU."""
        if isinstance(self.fetch_attr(target), nn.ReLU):
            return self.call_function(F.gelu, args[:1], {})
        return super().call_module(target, args, kwargs)


def rectifiers(gm: fx.GraphModule) -> list[str]:
    """Return the names of the nodes that still rectify."""
    modules = dict(gm.named_modules())
    return [
        node.name
        for node in gm.graph.nodes
        if (node.op == "call_function" and node.target in FUNCTIONS)
        or (node.op == "call_method" and node.target in ("relu", "relu_"))
        or (node.op == "call_module" and isinstance(modules[str(node.target)], nn.ReLU))
    ]


def experiment(model: nn.Module, inputs: tuple[Any, ...]) -> Iterator[tuple[str, object, bool | None]]:
    """Run the graph of the model by an Interpreter, then transform its activations."""
    gm = fx.symbolic_trace(model)
    code = gm.code
    if inputs:
        interpreter = Counting(gm)
        result = interpreter.run(*inputs)
        seen = {op: sorted(methods) for op, methods in interpreter.seen.items()}
        yield "method that ran for each opcode", seen, None
        yield "the Interpreter gives the model's result", torch.allclose(result, model(*inputs)), None
    before = rectifiers(gm)
    yield "rectifiers in the graph", before, None
    if not before:
        return
    left = rectifiers(Functions(gm).transform())
    yield "left after overriding call_function", left, not left
    everything = Everything(gm).transform()
    yield "left after overriding call_function, call_method and call_module", rectifiers(everything), None
    yield "the first graph is unchanged", gm.code == code, None
    yield "code of the transformed module", everything.code.strip(), None
