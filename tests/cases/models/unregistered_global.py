from torch import nn

ACTIVATION = nn.GELU()


class Net(nn.Module):
    def forward(self, x):
        return ACTIVATION(x * 2)
