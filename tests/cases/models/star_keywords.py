from torch import nn


class Inner(nn.Module):
    def forward(self, x, scale=2):
        return x * scale


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x, **kwargs):
        return self.inner(x, **kwargs)
