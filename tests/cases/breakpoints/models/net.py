"""A model in which every mechanism of a capture is at work once."""

import torch
from torch import nn


class Sub(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x):
        return self.lin(x).relu()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.sub = Sub()
        self.w = nn.Parameter(torch.ones(4))

    def forward(self, x):
        y = self.sub(x)
        return (y + torch.relu(x)) * self.w


class Branch(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x
        return -x


class Reflected(nn.Module):
    def forward(self, x):
        return 1 + x * x.shape[0]
