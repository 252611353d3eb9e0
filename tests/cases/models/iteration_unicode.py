from torch import nn


class Net(nn.Module):
    def forward(self, x):
        größe = "ä"; y = [a * 2 for a in x.split(2)]  # noqa
        return y[0], größe
