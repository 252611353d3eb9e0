from torch import nn


class Net(nn.Module):
    def forward(self, x):
        n = round(x.shape[1] * 0.5)
        return x[:, :n]
