import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.register_buffer("mask", torch.tril(torch.ones(8, 8)))

    def forward(self, x):
        b, t, c = x.size()
        y = self.lin(x)
        return y * self.mask[:t, :t].sum()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block() for _ in range(3)])

    def forward(self, idx, targets=None, train=False):
        b, t = idx.size()
        assert t <= 8
        x = torch.zeros(b, t, 4)
        for block in self.blocks:
            x = block(x)
        if train:
            x = x * 2
        return x
