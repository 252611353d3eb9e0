"""How nodes get their names."""

from collections.abc import Iterator

import torch
from torch import fx, nn

LAB = {
    "statement": "A node is named after the variable that its result is assigned to.",
    "said_by": "common belief",
    "verdict": "does not hold",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "The trace never sees your variables. A name is made from the target (the function's name, the "
    "module's path with underscores, the method), gets _1, _2 and so on when taken, and _1 at once when it would hide "
    "a built-in. So names move when the model changes; look nodes up by op and target.",
    "break_at": ("torch.fx.graph.Graph.create_node", "torch.fx.graph._Namespace.create_name"),
}


class Net(nn.Module):
    """A model with telling variable names."""

    def __init__(self) -> None:
        super().__init__()
        self.block = nn.Sequential(nn.Linear(2, 2), nn.ReLU())

    def forward(self, tokens: torch.Tensor, input: torch.Tensor) -> torch.Tensor:
        """Use names that a reader would look for in the graph."""
        hidden = torch.relu(tokens)
        gate = torch.relu(hidden)
        mixed = self.block(gate + input)
        return mixed.sigmoid()[0]  # type: ignore[no-any-return]


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Compare the names of the nodes with those of the variables."""
    graph = fx.Tracer().trace(Net())
    for node in graph.nodes:
        yield str(node.format_node()), node.name, None
    names = {node.name for node in graph.nodes}
    for variable in ("hidden", "gate", "mixed"):
        yield f"some node is called {variable}", variable in names, variable in names
    copy = fx.Graph()
    copy.graph_copy(graph, {})
    yield (
        "names in a copy of the graph are the same",
        [n.name for n in copy.nodes] == [n.name for n in graph.nodes if n.op != "output"],
        None,
    )
    with graph.inserting_before(next(iter(graph.nodes))):
        asked = graph.create_node("call_function", torch.ones, (2,), name="relu")
    yield "a node made with name='relu' is called", asked.name, None
