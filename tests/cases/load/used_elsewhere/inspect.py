"""Named like a module of the standard library; its test knows how to build it."""

from torch import nn


class Net(nn.Module):
    def __init__(self, width, bias):
        super().__init__()
        self.linear = nn.Linear(width, 2, bias=bias)

    def forward(self, x):
        return self.linear(x).unsqueeze(0)
