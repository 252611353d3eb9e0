import numpy as np
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        y = np.exp(x)
        return y * 2
