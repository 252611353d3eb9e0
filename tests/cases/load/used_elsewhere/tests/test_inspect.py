"""The test of the model."""

import torch
from inspect import Net


def test_shape():
    net = Net(5, bias=False)
    assert net(torch.ones(1, 5)).shape == (1, 1, 2)
