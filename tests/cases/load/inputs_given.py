"""Inputs are given."""

from torch import nn


class Net(nn.Module):
    def forward(self, x, mask, idx):
        return x
