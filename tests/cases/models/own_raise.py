import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        if not torch.is_tensor(x):
            raise TypeError("tensors only")
        return x * 2
