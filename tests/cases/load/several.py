"""Two classes that do not use each other."""

from torch import nn


class Left(nn.Module):
    pass


class Right(nn.Module):
    pass
