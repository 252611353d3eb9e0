"""What can be done with a captured model, each thing once."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import fx
from torch.fx.passes.infra.pass_base import PassBase, PassResult
from torch.fx.passes.infra.pass_manager import PassManager
from torch.fx.passes.shape_prop import ShapeProp

MODELS = Path(__file__).parents[1] / "cases" / "breakpoints" / "models"
NET = MODELS / "net.py"


def load_models(path: Path = NET) -> ModuleType:
    """Import a model file."""
    spec = importlib.util.spec_from_file_location(f"case_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Nothing(PassBase):
    """A pass that changes nothing."""

    def call(self, graph_module: fx.GraphModule) -> PassResult:
        return PassResult(graph_module, False)


def edit(captured: fx.GraphModule) -> None:
    """Put tanh in the place of the relu function."""
    old = next(node for node in captured.graph.nodes if node.target is torch.relu)
    with captured.graph.inserting_after(old):
        new = captured.graph.call_function(torch.tanh, old.args)
    old.replace_all_uses_with(new)
    captured.graph.erase_node(old)
    captured.graph.lint()
    captured.recompile()


def passes(captured: fx.GraphModule, x: torch.Tensor) -> None:
    """Propagate shapes, run a pass manager, look for dead code."""
    ShapeProp(captured).propagate(x)
    PassManager([Nothing()])(captured)
    captured.graph.eliminate_dead_code()


def pattern(a: torch.Tensor) -> torch.Tensor:
    """What is looked for."""
    return torch.tanh(a)


def replacement(a: torch.Tensor) -> torch.Tensor:
    """What takes its place."""
    return torch.sigmoid(a)


def branch(model: torch.nn.Module) -> None:
    """Trace a model that cannot be traced."""
    try:
        fx.symbolic_trace(model)
    except fx.proxy.TraceError:
        return
    raise AssertionError("a branch on a Proxy was traced")


def scenarios() -> Iterator[tuple[str, Any]]:
    """Yield the name of each scenario and the function that runs it, in the order they build on each other."""
    models = load_models()
    model, x = models.Net(), torch.ones(2, 4)
    captured = fx.symbolic_trace(model)
    yield "trace", lambda: fx.symbolic_trace(model)
    yield "call", lambda: captured(x)
    yield "edit", lambda: edit(captured)
    yield "interp", lambda: fx.Interpreter(captured).run(x)
    yield "xform", lambda: fx.Transformer(captured).transform()
    yield "rewrite", lambda: fx.replace_pattern(captured, pattern, replacement)
    yield "pass", lambda: passes(captured, x)
    yield "ctrlflow", lambda: branch(models.Branch())
    yield "reflected", lambda: fx.symbolic_trace(models.Reflected())
