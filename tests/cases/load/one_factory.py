"""A class that needs arguments and one function that gives them through another."""

from torch import nn


class Net(nn.Module):
    def __init__(self, width, activation):
        super().__init__()
        self.linear = nn.Linear(width, width)


def _net(width, activation):
    return Net(width, activation)


def net():
    return _net(2, nn.ReLU())
