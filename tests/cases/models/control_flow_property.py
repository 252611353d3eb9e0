import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        if x.is_contiguous():
            return torch.relu(x)
        return x
