"""The one class uses another through a function; functions that make parts are no models."""

from torch import nn


class Squeeze(nn.Module):
    pass


def block(width):
    return nn.Sequential(nn.Linear(width, width), Squeeze())


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.block = block(width)
