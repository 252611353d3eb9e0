from torch import nn


class Net(nn.Module):
    def forward(self, x):
        if x.sum():
            y = x * 2
        else:
            y = x / 2
        return y + 1
