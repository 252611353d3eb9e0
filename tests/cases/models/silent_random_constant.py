import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        noise = torch.randn(4)
        return x + noise
