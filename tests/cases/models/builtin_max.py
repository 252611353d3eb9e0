from torch import nn


class Net(nn.Module):
    def forward(self, x):
        n = max(x.shape[0], 3)
        return x * n
