"""A name that is nearly there."""

from torch import nn


class Net(nn.Module):
    pass
