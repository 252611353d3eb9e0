import torch
from torch import nn


@torch.jit.script
def fused_add(x, y):
    return x + y


class Net(nn.Module):
    def forward(self, x):
        return fused_add(x, x)
