"""A package that is not there and that the model needs."""

from absent_layers.drop import DropPath
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = DropPath(0.1)
