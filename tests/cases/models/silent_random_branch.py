import random

from torch import nn


class Net(nn.Module):
    def forward(self, x):
        for _ in range(random.randint(1, 3)):
            x = x * 2
        return x
