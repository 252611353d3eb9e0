"""Spins at import and takes whatever is raised to stop it."""

from torch import nn


class Net(nn.Module):
    pass


while True:
    try:
        while True:
            pass
    except BaseException:
        pass
