"""A class that needs arguments and two functions that give them."""

from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)


def _net(width):
    net = Net(width)
    return net


def small():
    return _net(2)


def large():
    return _net(200)
