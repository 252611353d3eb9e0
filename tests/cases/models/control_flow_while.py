from torch import nn


class Net(nn.Module):
    def forward(self, x):
        while x.abs().sum() > 1:
            x = x / 2
        return x
