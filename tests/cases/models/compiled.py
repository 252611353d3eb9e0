import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x * 2


model = torch.compile(Net())
