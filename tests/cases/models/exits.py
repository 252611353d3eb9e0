import sys

from torch import nn


class Net(nn.Module):
    def forward(self, x):
        x = x + 1
        sys.exit(0)
        return x
