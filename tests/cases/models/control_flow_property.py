import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        if x.is_contiguous() and x.device.type == "cpu":
            return torch.relu(x)
        return x
