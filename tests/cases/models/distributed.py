import torch.distributed as dist
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        y = x * 2
        dist.all_reduce(y)
        return y
