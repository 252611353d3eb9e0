"""Parses its arguments, which are not there, at import."""

import argparse

from torch import nn


class Net(nn.Module):
    pass


parser = argparse.ArgumentParser()
parser.add_argument("data")
options = parser.parse_args()
