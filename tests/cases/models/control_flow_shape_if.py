from torch import nn


class Net(nn.Module):
    def forward(self, x):
        if x.size(1) != 3:
            raise ValueError("three channels, please")
        return x * 2
