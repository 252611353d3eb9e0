import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        y = torch.zeros(3, 4)
        y[0] = x[0]
        return y + x
