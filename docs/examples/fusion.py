"""Fold batch normalisation into the convolution before it, which gives the same results in evaluation mode.

Try it: fxanchor transform MODEL --pass fusion.py:fuse_conv_bn --input 2x3x32x32
"""

from typing import Any

from torch import fx, nn
from torch.nn.utils import fuse_conv_bn_eval

PAIRS = ((nn.Conv1d, nn.BatchNorm1d), (nn.Conv2d, nn.BatchNorm2d), (nn.Conv3d, nn.BatchNorm3d))


def fuse_conv_bn(gm: fx.GraphModule) -> fx.GraphModule:
    """Return the module with each pair fused, edited in place.

    A convolution whose result is also used elsewhere, or that is called twice, keeps its normalisation: its weights
    cannot be both.
    """
    modules: dict[str, Any] = dict(gm.named_modules())
    calls = [node.target for node in gm.graph.nodes if node.op == "call_module"]
    for node in gm.graph.nodes:
        if node.op != "call_module" or not isinstance(source := node.args[0], fx.Node):
            continue
        conv, norm = modules.get(str(source.target), source), modules[node.target]
        fits = source.op == "call_module" and any(isinstance(conv, a) and isinstance(norm, b) for a, b in PAIRS)
        if not fits or norm.training or len(source.users) > 1 or calls.count(source.target) > 1:
            continue
        parent, _, name = str(source.target).rpartition(".")
        setattr(gm.get_submodule(parent), name, fuse_conv_bn_eval(conv, norm))
        node.replace_all_uses_with(source)
        gm.graph.erase_node(node)
    gm.delete_all_unused_submodules()
    gm.recompile()
    return gm
