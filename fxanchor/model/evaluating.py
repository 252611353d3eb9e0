"""What a Proxy would be on the example inputs, found by running its part of the graph on fake tensors."""

from typing import Any

import torch
from torch import fx, nn

from fxanchor.model.fakes import FakeInputs
from fxanchor.model.shapes import placeholder_values


class Evaluator:
    """Tells the values of Proxies that do not depend on data, such as sizes.

    Args:
        module: The model.
        inputs: Fake inputs of its forward.
    """

    def __init__(self, module: nn.Module, inputs: FakeInputs) -> None:
        self._module = module
        self._inputs = inputs
        self._graph: fx.Graph | None = None
        self._values: dict[fx.Node, Any] = {}

    def __call__(self, proxy: fx.Proxy) -> object:
        """The value of a Proxy of the trace that is going on; None when it is not known."""
        graph = proxy.node.graph
        try:
            if graph is not self._graph:
                self._graph, self._values = graph, self._arguments(graph)
            with self._inputs.mode, torch.no_grad():
                return self._value(graph, proxy.node)
        except Exception:
            # Data decide it, or the inputs do not fit: then it is not known, which is no error.
            return None

    def _value(self, graph: fx.Graph, wanted: fx.Node) -> object:
        for node in graph.nodes:
            if wanted in self._values:
                break
            if node not in self._values:
                self._values[node] = self._run(node)
        return self._values[wanted]

    def _arguments(self, graph: fx.Graph) -> dict[fx.Node, Any]:
        placeholders = [node for node in graph.nodes if node.op == "placeholder"]
        values = placeholder_values(graph, self._module, self._inputs.args, self._inputs.kwargs)
        return dict(zip(placeholders, values, strict=True))

    def _run(self, node: fx.Node) -> object:
        args, kwargs = fx.map_arg((node.args, node.kwargs), self._values.__getitem__)
        if node.op == "call_function" and callable(node.target):
            return node.target(*args, **kwargs)
        if node.op == "call_method":
            return getattr(args[0], str(node.target))(*args[1:], **kwargs)
        owner: Any = self._module
        for part in str(node.target).split("."):
            owner = getattr(owner, part)
        return owner(*args, **kwargs) if node.op == "call_module" else owner
