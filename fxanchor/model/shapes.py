"""The shape and type of every node of a graph, by running it on fake tensors."""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import fx, nn

from fxanchor.model.fakes import FakeInputs

Shape = tuple[int | str, ...]


@dataclass(slots=True)
class Shapes:
    """What is known of the results of nodes.

    Attributes:
        known: Shape and data type by name of the node.
        error: What ended the run before the last node, or None.
    """

    known: dict[str, tuple[Shape | None, str]] = field(default_factory=dict)
    error: BaseException | None = None


def describe(value: object) -> tuple[Shape | None, str]:
    """The shape and data type of a value: of the tensor, or of the first one where there are several."""
    if isinstance(value, torch.Tensor):
        shape: Shape = tuple(size if isinstance(size, int) else str(size) for size in value.shape)
        return shape, str(value.dtype).removeprefix("torch.")
    if isinstance(value, tuple | list) and not isinstance(value, torch.Size):
        tensors = [item for item in value if isinstance(item, torch.Tensor)]
        return describe(tensors[0]) if tensors else (None, "")
    if isinstance(value, Mapping):
        return describe(list(value.values()))
    return None, ""


def propagate(graph_module: fx.GraphModule, module: nn.Module, inputs: FakeInputs) -> Shapes:
    """Run a graph on fake inputs and keep the shape of every result.

    Args:
        graph_module: The graph.
        module: The model it was captured from, whose forward tells which input goes where.
        inputs: Fake inputs of that forward.
    """
    shapes = Shapes()
    interpreter = _Recorder(graph_module, shapes)
    try:
        values = placeholder_values(graph_module.graph, module, inputs.args, inputs.kwargs)
        with inputs.mode, torch.no_grad():
            interpreter.run(*values)
    except Exception as error:
        # Wrong inputs, or an operation whose result's shape depends on data: what came before it is still known.
        shapes.error = error
    return shapes


def placeholder_values(
    graph: fx.Graph, module: nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> list[Any]:
    """The inputs of a forward in the order of the placeholders of a graph captured from it.

    Raises:
        TypeError: When forward cannot be called with these inputs.
    """
    signature = inspect.signature(module.forward)
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    values: list[Any] = []
    for node in graph.nodes:
        if node.op != "placeholder":
            continue
        name = str(node.target)
        if name.startswith("**"):
            values.append(bound.arguments[name[2:]])
        elif name.startswith("*"):
            # An interpreter takes all values that are left for a starred placeholder.
            values.extend(bound.arguments[name[1:]])
        elif name in bound.arguments:
            values.append(bound.arguments[name])
        else:
            # A concrete argument `flag` has the placeholder `flag_1`.
            values.append(bound.arguments.get(name.rpartition("_")[0]))
    return values


class _Recorder(fx.Interpreter):
    """Runs a graph and keeps what every result is like."""

    def __init__(self, graph_module: fx.GraphModule, shapes: Shapes) -> None:
        super().__init__(graph_module)
        self._shapes = shapes

    def run_node(self, n: fx.Node) -> object:
        """Run a node and keep what its result is like."""
        result = super().run_node(n)
        if n.op != "output":
            self._shapes.known[n.name] = describe(result)
        return result
