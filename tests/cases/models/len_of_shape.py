from torch import nn


class Net(nn.Module):
    def forward(self, x):
        shape = x.size()
        n = len(x.size())
        return x * n
