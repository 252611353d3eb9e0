"""Order: graph.nodes is a linked list in the order of execution; editing while iterating."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import fx

LAB = {
    "statement": "graph.nodes is a list, and must be copied before the loop that edits the graph.",
    "said_by": "common belief",
    "verdict": "does not hold",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "It is a view of a linked list: no index, no slice; its order is the order of execution, and every node "
    "stands after its inputs. Erasing the current node or inserting after it in a loop is safe; a node inserted "
    "behind the current one is visited, too. Moving a node before its inputs is only noticed by lint.",
    "break_at": ("torch.fx.graph._node_list.__iter__", "torch.fx.graph.Graph.lint", "torch.fx.node.Node.prepend"),
}


def model(x: torch.Tensor) -> torch.Tensor:
    """Compute three steps."""
    return torch.relu(x).neg().abs()


def attempt(action: Any) -> str:
    """Return what an action raises in one line, or `no error`."""
    try:
        action()
    except Exception as error:
        return f"{type(error).__name__}: {error}".partition("\n")[0]
    return "no error"


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Index, reverse, erase and insert while iterating, and move a node to where it cannot be."""
    gm = fx.symbolic_trace(model)
    nodes: Any = gm.graph.nodes
    yield "it is a list", isinstance(nodes, list), isinstance(nodes, list)
    seen = attempt(lambda: nodes[0])
    yield "nodes[0]", seen, "Error" not in seen
    yield "len and reversed work", (len(nodes), [node.name for node in reversed(nodes)]), None
    visited = []
    for node in gm.graph.nodes:
        visited.append(node.name)
        if node.target == "neg":
            node.replace_all_uses_with(node.args[0])
            gm.graph.erase_node(node)
    yield "erasing the current node in the loop: visited", visited, visited != ["x", "relu", "neg", "abs_1", "output"]
    gm = fx.symbolic_trace(model)
    visited = []
    for node in gm.graph.nodes:
        visited.append(node.name)
        if node.target is torch.relu:
            with gm.graph.inserting_after(node):
                gm.graph.call_function(torch.sigmoid, (node,))
    yield "inserting after the current node in the loop: visited", visited, None
    gm = fx.symbolic_trace(model)
    by_name = {node.name: node for node in gm.graph.nodes}
    by_name["relu"].prepend(by_name["abs_1"])
    yield "abs_1 moved before its input: order", [node.name for node in gm.graph.nodes], None
    yield "recompile", attempt(gm.recompile), None
    yield "lint", attempt(gm.graph.lint), None
    yield "call", attempt(lambda: gm(torch.ones(1))), None
