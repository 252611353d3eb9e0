from torch import nn


class Net(nn.Module):
    def forward(self, x):
        try:
            n = len(x)
        except RuntimeError:
            n = 1
        return x * n
