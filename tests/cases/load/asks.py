"""Asks the user at import."""

from torch import nn


class Net(nn.Module):
    pass


name = input("name? ")
