from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = None

    def forward(self, x):
        self.cache = x * 2
        return self.cache + 1
