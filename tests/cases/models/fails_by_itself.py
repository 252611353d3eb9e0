from torch import nn


class Net(nn.Module):
    def forward(self, x):
        steps = 0
        return x * (1 / steps)
