"""Replace one activation by another, in every spelling: a Transformer, and the same by editing the graph in place.

Try it: fxanchor transform MODEL --pass activation.py:ReluToGelu
"""

from typing import Any

import torch
import torch.nn.functional as F
from torch import fx, nn

FUNCTIONS = (torch.relu, F.relu, torch.relu_)
METHODS = ("relu", "relu_")


class ReluToGelu(fx.Transformer):
    """Build a new graph in which GELU stands wherever a rectifier stood; the input is left alone."""

    def call_function(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Replace functions."""
        if target in FUNCTIONS:
            target, kwargs = F.gelu, {}
        return super().call_function(target, args, kwargs)

    def call_method(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Replace methods."""
        if target in METHODS:
            return super().call_function(F.gelu, args, {})
        return super().call_method(target, args, kwargs)

    def call_module(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Replace modules."""
        if isinstance(self.fetch_attr(target), nn.ReLU):
            return super().call_function(F.gelu, args, {})
        return super().call_module(target, args, kwargs)


def relu_to_gelu(gm: fx.GraphModule) -> fx.GraphModule:
    """Edit the graph in place: make the new node behind the old one, move its users over, erase the old one."""
    modules = dict(gm.named_modules())
    for node in gm.graph.nodes:
        if is_relu(node) or (node.op == "call_module" and isinstance(modules[node.target], nn.ReLU)):
            with gm.graph.inserting_after(node):
                gelu = gm.graph.call_function(F.gelu, node.args[:1])
            node.replace_all_uses_with(gelu)
            gm.graph.erase_node(node)
    gm.delete_all_unused_submodules()
    gm.recompile()
    return gm


def is_relu(node: fx.Node) -> bool:
    """Tell whether a node rectifies; without the module it cannot be told of a module call.

    Try it: fxanchor transform MODEL --matches activation.py:is_relu
    """
    return (node.op == "call_function" and node.target in FUNCTIONS) or (
        node.op == "call_method" and node.target in METHODS
    )
