"""Three classes, of which one uses the others; built in the main guard with local names and options."""

import argparse

import torch
from torch import nn


class Base(nn.Module):
    pass


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return x + self.linear(x)


class Net(Base):
    def __init__(self, depth, width):
        super().__init__()
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--depth", "-d", type=int, default=3)
    parser.add_argument("--cuda", action="store_true")
    options = parser.parse_args()
    size = 8
    device = "cuda" if options.cuda else "cpu"
    model = Net(depth=options.depth, width=size).to(device)
    batch = torch.randn(2, 5, size).to(device)
    print(model(batch).shape)
