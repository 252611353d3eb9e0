"""A GraphModule alive: what an edit of the graph does before and after recompile."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import fx

LAB = {
    "statement": "Editing the graph of a GraphModule changes what the module computes.",
    "said_by": "common belief",
    "verdict": "does not hold",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "The module runs Python code that was generated from the graph. After an edit, call recompile: it "
    "generates the code anew, puts it on the class of this one instance and leaves the graph alone. A node that is "
    "still used cannot be erased; give its users another input first.",
    "break_at": (
        "torch.fx.graph_module.GraphModule.recompile",
        "torch.fx.graph.Graph.erase_node",
        "torch.fx.graph_module._WrappedCall.__call__",
    ),
}


def model(x: torch.Tensor) -> torch.Tensor:
    """Compute something with one step that leads nowhere."""
    torch.tanh(x)
    return torch.relu(x) + 1


def body(gm: fx.GraphModule) -> str:
    """Return the generated statements."""
    return gm.code.strip()


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Retarget, erase and recompile, and look at code and results in between."""
    gm, x = fx.symbolic_trace(model), torch.tensor([-1.0, 2.0])
    before, first_function = gm(x), type(gm).forward
    relu = next(node for node in gm.graph.nodes if node.target is torch.relu)
    yield "code", body(gm), None
    relu.target = torch.sigmoid
    changed = not torch.equal(gm(x), before)
    yield "after relu.target = torch.sigmoid, without recompile, the result changed", changed, changed
    gm.recompile()
    yield "after recompile, the result changed", not torch.equal(gm(x), before), None
    yield "code after recompile", body(gm), None
    yield "recompile put a new forward on the class of the instance", type(gm).forward is not first_function, None
    yield "another GraphModule has the same class", type(fx.symbolic_trace(model)) is type(gm), None
    yield "erasing a node that is used", erase(gm, relu), None
    tanh = next(node for node in gm.graph.nodes if node.target is torch.tanh)
    yield "erasing a node that is not used", erase(gm, tanh), None
    gm.graph.lint()
    gm.recompile()
    yield "code after erasing", body(gm), None
    yield "its __call__ is", type(gm).__call__.__qualname__, None
    yield (
        "its forward was compiled from a file on disk",
        not type(gm).forward.__code__.co_filename.startswith("<"),
        None,
    )


def erase(gm: fx.GraphModule, node: Any) -> str:
    """Erase a node and tell what happened."""
    try:
        gm.graph.erase_node(node)
    except RuntimeError as error:
        return f"RuntimeError: {error}"
    return "erased"
