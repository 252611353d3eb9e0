from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def forward(self, x):
        size = int(x.size(2) / 2)
        return F.interpolate(x, size=size)
