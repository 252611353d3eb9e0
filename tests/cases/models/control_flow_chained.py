from torch import nn


class Net(nn.Module):
    def forward(self, x):
        assert 1 < x.shape[1] < 512 and x.dim() == 2, "two dimensions"
        return x * 2
