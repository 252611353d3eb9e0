"""The model that experiments run on when the reader gives none: small, with one of everything they look for."""

from typing import Any

import torch
from torch import nn


class Block(nn.Module):
    """A convolution, its normalisation and an activation, as users write them."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, channels, 3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the activated features."""
        return nn.functional.relu(self.bn(self.conv(x)))


class Sample(nn.Module):
    """Additions and activations in several spellings, a parameter read, leaf modules and an opened one."""

    def __init__(self) -> None:
        super().__init__()
        self.block = Block(8)
        self.act = nn.ReLU()
        self.scale = nn.Parameter(torch.full((1,), 0.5))
        self.head = nn.Linear(8, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return four scores for each image."""
        y = self.block(x)
        y = y + self.act(y - 1)
        y = torch.add(y, torch.relu(y * self.scale))
        y += y.relu()
        y = 1 + y.add(y).mean((2, 3))
        return self.head(y)  # type: ignore[no-any-return]


def sample() -> tuple[nn.Module, tuple[Any, ...]]:
    """Return a new model in evaluation mode, and inputs for it; the same numbers every time."""
    state = torch.get_rng_state()
    torch.manual_seed(7)
    model = Sample().eval()
    inputs = (torch.randn(2, 3, 8, 8),)
    torch.set_rng_state(state)
    return model, inputs
