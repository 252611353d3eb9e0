"""Opens a data set at import."""

from __future__ import annotations

from torch import nn

WIDTH = 2 * 2


class Net(nn.Module):
    def __init__(self, width: NotDefinedAnywhere):
        super().__init__()
        self.linear = nn.Linear(width, width)


def main():
    pass
data = open("/nowhere/data.csv").read()
model = Net(WIDTH)
