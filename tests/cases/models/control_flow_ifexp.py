from torch import nn


class Net(nn.Module):
    def forward(self, x):
        y = x * 2 if x.mean() > 0 else x / 2
        return y + 1
