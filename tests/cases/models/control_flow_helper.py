from torch import nn


def clamp_negative(x):
    if x.min() < 0:
        x = x.clamp(min=0)
    return x


class Net(nn.Module):
    def forward(self, x):
        return clamp_negative(x) + 1
