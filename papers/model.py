"""A small image classifier that shows every way in which a trace records an operation; `make demo` traces it."""

import math

import torch
from torch import Tensor, nn


class Block(nn.Module):
    """A residual block. It is defined here and not in `torch.nn`, so a trace opens it."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(width, width, kernel_size=3, padding=1)
        self.norm = nn.BatchNorm2d(width)
        self.gain = nn.Parameter(torch.full((width, 1, 1), 0.1))

    def forward(self, x: Tensor) -> Tensor:
        """Return `x` with a small correction added; the shape stays."""
        y = torch.relu(self.norm(self.conv(x)))
        return x + y * self.gain


class TinyNet(nn.Module):
    """Two residual blocks between a convolution and a linear classifier."""

    mean: Tensor

    def __init__(self, width: int = 8, classes: int = 10) -> None:
        super().__init__()
        self.register_buffer("mean", torch.tensor([0.485, 0.456, 0.406]).view(3, 1, 1))
        self.stem = nn.Conv2d(3, width, kernel_size=3, padding=1)
        self.blocks = nn.Sequential(Block(width), Block(width))
        self.head = nn.Linear(width, classes)

    def forward(self, images: Tensor) -> Tensor:
        """Return one score a class, `(batch, classes)`, for images `(batch, 3, height, width)`."""
        x = self.blocks(self.stem(images - self.mean))
        x = x.mean(dim=(2, 3))
        scale = math.sqrt(x.size(1))
        scores: Tensor = self.head(x) / scale
        return scores
