"""A constructor that raises."""

from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        if width % 2:
            raise ValueError("width must be even")
        super().__init__()
