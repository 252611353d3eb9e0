"""Seven billion parameters."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(10000, 10000, bias=False) for _ in range(69))
        self.last = nn.Parameter(torch.randn(10000, 10000))
