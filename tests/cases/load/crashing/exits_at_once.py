"""Ends the process at import, with no way to catch it."""

import os

from torch import nn


class Net(nn.Module):
    pass


os._exit(7)
