"""A model that ends the process on the fourth trace of a process."""

import os

import torch
from torch import fx, nn

traces = 0


class Dies(nn.Module):
    def forward(self, x):
        global traces
        if isinstance(x, fx.Proxy):
            traces += 1
        if traces == 4:
            os._exit(7)
        return torch.relu(x)
