import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        b, c = x.shape
        state = torch.zeros(b, c)
        return x + state
