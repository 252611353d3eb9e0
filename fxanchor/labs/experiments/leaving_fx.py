"""Leaving fx: pickle, deepcopy, to_folder, TorchScript and torch.export of a transformed module."""

import copy
import importlib.util
import pickle
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import fx, nn

LAB = {
    "statement": "A transformed module can be saved, copied, written as source, scripted and exported like any other.",
    "said_by": "paper 5.4",
    "verdict": "holds",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "The module is ordinary Python code and ordinary weights, so all ways out give the same numbers. "
    "pickle stores the generated code, not the graph, and traces it again on loading. TorchScript and torch.export "
    "make graphs of their own; fx nodes are not found in them again.",
    "break_at": (
        "torch.fx.graph_module.GraphModule.__reduce__",
        "torch.fx.graph_module.GraphModule.__deepcopy__",
        "torch.fx.graph_module.GraphModule.to_folder",
    ),
}


class Net(nn.Module):
    """A model with a leaf and a parameter read."""

    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(3, 3)
        self.scale = nn.Parameter(torch.full((3,), 0.5))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Compute something."""
        return torch.relu(self.lin(x)) * self.scale


def from_folder(gm: fx.GraphModule) -> Any:
    """Write the module as a package, and import that."""
    with tempfile.TemporaryDirectory() as folder:
        gm.to_folder(folder, "Written")
        file = Path(folder) / "__init__.py"
        spec = importlib.util.spec_from_file_location("written", file, submodule_search_locations=[folder])
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["written"] = module
        try:
            spec.loader.exec_module(module)
        finally:
            del sys.modules["written"]
        return module.Written()


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Transform a model, send it each way, and compare what comes out."""
    gm: Any = fx.symbolic_trace(Net().eval())
    for node in gm.graph.nodes:
        if node.target is torch.relu:
            node.target = F.silu
    gm.recompile()
    x = torch.randn(2, 3)
    jit: Any = torch.jit
    ways: dict[str, Any] = {
        "pickle": lambda: pickle.loads(pickle.dumps(gm)),
        "copy.deepcopy": lambda: copy.deepcopy(gm),
        "to_folder and import": lambda: from_folder(gm),
        "torch.jit.script": lambda: jit.script(gm),
        "torch.jit.trace": lambda: jit.trace(gm, (x,)),
        "torch.export": lambda: torch.export.export(gm, (x,)).module(),
    }
    for name, way in ways.items():
        same = torch.allclose(way()(x), gm(x))
        yield f"{name}: same result", same, same
    yield (
        "what a pickle holds, of code and graph",
        sorted(key for key in gm.__reduce__()[1][0] if key in ("_code", "_graph")),
        None,
    )
    exported = torch.export.export(gm, (x,)).graph
    yield "nodes here", [f"{node.op} {node.name}" for node in gm.graph.nodes], None
    yield "call_module nodes that torch.export keeps", sum(node.op == "call_module" for node in exported.nodes), None
