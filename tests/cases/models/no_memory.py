from torch import nn


class Net(nn.Module):
    def forward(self, x):
        held = bytearray(2**62)
        return x if held else x + 1
