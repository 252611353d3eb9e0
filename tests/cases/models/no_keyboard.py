from torch import nn


class Net(nn.Module):
    def forward(self, x):
        name = input()
        return x + 1 if name else x
