from torch import nn


class Net(nn.Module):
    def forward(self, x):
        x = x * 2
        x[:, 0] = 0
        return x
