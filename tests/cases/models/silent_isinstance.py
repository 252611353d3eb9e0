import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        if isinstance(x, torch.Tensor):
            return x * 2
        return x * 3
