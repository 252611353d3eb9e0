"""A model in it."""

from torch import nn

from .parts import WIDTH


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(WIDTH, 1)
