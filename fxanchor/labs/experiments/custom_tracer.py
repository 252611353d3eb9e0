"""A Tracer of one's own: create_proxy can leave a mark on every node it makes."""

from collections.abc import Iterator
from typing import Any

from torch import fx, nn

LAB = {
    "statement": "create_proxy can be overridden to put metadata of one's own on the nodes.",
    "said_by": "paper 5.2",
    "verdict": "holds",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "Every node but the output passes through create_proxy on its way into the graph, with its opcode, "
    "target and arguments. It is the one place to watch to see a trace grow. The output node is made by create_node, "
    "because nothing of the model is ever done to it.",
    "break_at": ("torch.fx.proxy.TracerBase.create_proxy", "torch.fx.proxy.TracerBase.create_node"),
}


class Marking(fx.Tracer):
    """A tracer that numbers its nodes."""

    count = 0

    def create_proxy(self, *args: Any, **kwargs: Any) -> fx.Proxy:
        """Number the node."""
        proxy = super().create_proxy(*args, **kwargs)
        proxy.node.meta["number"] = self.count
        self.count += 1
        return proxy


def experiment(model: nn.Module, _inputs: tuple[Any, ...]) -> Iterator[tuple[str, object, bool | None]]:
    """Trace the model by the numbering tracer."""
    tracer = Marking()
    graph = tracer.trace(model)
    numbers = [node.meta.get("number") for node in graph.nodes]
    yield "nodes, calls of create_proxy", (len(numbers), tracer.count), None
    yield "nodes without a number", [n.name for n in graph.nodes if "number" not in n.meta], numbers[-1] is None
    marked = numbers[:-1] == list(range(len(numbers) - 1))
    yield "every other node is numbered in the order of the graph", marked, marked
    own = fx.GraphModule(model, graph).code
    yield "the code is that of an unmarked trace", own == fx.symbolic_trace(model).code, None
