"""The call's argument is a parameter that has the name of a constant: the constant is not meant."""

from torch import nn

width = 100


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, 1)


def build(width):
    return Net(width)
