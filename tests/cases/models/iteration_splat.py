from torch import nn


class Net(nn.Module):
    def forward(self, x):
        y = x.view(*x.shape[:-1], 2, 2)
        return y + 1
