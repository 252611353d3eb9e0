"""node.meta: who writes it and what survives copy, pickle and transform."""

import copy
import pickle
from collections.abc import Iterable, Iterator

import torch
from torch import fx, nn
from torch.fx.passes.shape_prop import ShapeProp

LAB = {
    "statement": "What is stored in node.meta stays with the node when the module is copied, saved or transformed.",
    "said_by": "common belief",
    "verdict": "does not hold",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "meta is a plain dict of each node. The trace writes nn_module_stack for module calls, ShapeProp writes "
    "tensor_meta, the rest is yours. Copying a graph copies it (not onto the output node for graph_copy); pickle saves "
    "the code and traces it again, and tracing again makes new nodes, so your keys are gone; a Transformer makes new "
    "nodes too. So key what must last by something you can find again.",
    "break_at": ("torch.fx.passes.shape_prop.ShapeProp.run_node", "torch.fx.graph.Graph.node_copy"),
}


class Net(nn.Module):
    """A model with a module call, a function call and a method call."""

    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(2, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Compute something."""
        return torch.relu(self.lin(x)).neg()


def kept(nodes: Iterable[fx.Node]) -> str:
    """Tell which call nodes still have the key."""
    calls = [node for node in nodes if node.op.startswith("call")]
    return f"{sum('mine' in node.meta for node in calls)} of {len(calls)} calls"


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Write a key to every node and follow it."""
    gm = fx.symbolic_trace(Net())
    yield "keys after the trace", {node.name: sorted(node.meta) for node in gm.graph.nodes}, None
    ShapeProp(gm).propagate(torch.ones(3, 2))
    added = {node.name: sorted(set(node.meta) - {"nn_module_stack"}) for node in gm.graph.nodes}
    yield "keys that ShapeProp added", added, None
    for node in gm.graph.nodes:
        node.meta["mine"] = node.name
    graph = fx.Graph()
    graph.graph_copy(gm.graph, {})
    for how, nodes in (
        ("copy.deepcopy", copy.deepcopy(gm).graph.nodes),
        ("Graph.graph_copy", graph.nodes),
        ("GraphModule(gm, gm.graph)", fx.GraphModule(gm, gm.graph).graph.nodes),
        ("pickle", pickle.loads(pickle.dumps(gm)).graph.nodes),
        ("symbolic_trace of the traced module", fx.symbolic_trace(gm).graph.nodes),
        ("Transformer.transform", fx.Transformer(gm).transform().graph.nodes),
    ):
        seen = kept(nodes)
        yield f"my key after {how}", seen, seen.startswith("3 ")
    shared = copy.deepcopy(gm).graph
    first, second = next(iter(gm.graph.nodes)), next(iter(shared.nodes))
    yield "deepcopy gives the copy a dict of its own", first.meta is not second.meta, None
