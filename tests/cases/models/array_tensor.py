import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        scale = torch.tensor(x.shape[0])
        return x * scale
