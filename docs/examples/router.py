"""A model that cannot be traced as it stands: its forward decides by a value that no trace can know."""

import torch
from torch import Tensor, nn


class Router(nn.Module):
    """Sends a batch through a wide branch when its values are large, through a narrow one otherwise."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.narrow = nn.Linear(width, width)
        self.wide = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        """Return a tensor of the shape of `x`."""
        if x.abs().mean() > 1:
            return torch.relu(self.wide(x))
        return torch.relu(self.narrow(x))
