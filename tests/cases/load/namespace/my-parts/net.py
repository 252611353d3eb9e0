"""Relative and plain imports in a directory without __init__.py, whose name is no identifier."""

from torch import nn

from .sizes import WIDTH
import plain_sizes


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(WIDTH, plain_sizes.OUT)
