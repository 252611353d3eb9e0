"""A file with one pass and a helper."""

import torch
from torch import fx


def helper(node):
    return node.target is torch.relu


def only(gm: fx.GraphModule) -> fx.GraphModule:
    for node in filter(helper, gm.graph.nodes):
        node.target = torch.sigmoid
    gm.recompile()
    return gm
