import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        y = torch.Tensor.flatten(x, 1)
        return y + 1
