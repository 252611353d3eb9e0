"""Two classes, of which main builds one."""

from torch import nn


class Left(nn.Module):
    pass


class Right(nn.Module):
    pass


def main():
    return Right()
