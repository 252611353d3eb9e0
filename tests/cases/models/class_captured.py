from torch import fx, nn


class Block(nn.Module):
    def forward(self, x):
        return x + 1


class Net(nn.Module):
    def forward(self, x):
        return fx.symbolic_trace(Block)(x) * 2
