"""Large, with a constructor that reads a value."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        rates = [rate.item() for rate in torch.linspace(0, 0.1, 7)]
        self.layers = nn.ModuleList(nn.Linear(10000, 10000, bias=False) for _ in rates)
        self.scale = nn.Parameter(torch.tensor(rates[3]))
