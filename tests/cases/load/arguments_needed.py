"""Arguments are needed and nowhere to be found."""

from torch import nn


class Net(nn.Module):
    def __init__(self, width, depth, *, bias=True):
        super().__init__()
        self.layers = nn.Sequential(*[nn.Linear(width, width, bias) for _ in range(depth)])
