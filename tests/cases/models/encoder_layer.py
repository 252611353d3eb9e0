from torch import nn


class Layer(nn.TransformerEncoderLayer):
    pass


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = Layer(8, 2)

    def forward(self, x):
        return self.layer(x)
