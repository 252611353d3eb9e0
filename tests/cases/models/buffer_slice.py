import torch
from torch import nn


class PositionalEncoding(nn.Module):
    def __init__(self, size=8, length=32):
        super().__init__()
        pe = torch.zeros(1, length, size)
        self.register_buffer("pe", pe)

    def forward(self, x):
        return x + self.pe[:, : x.size(1)]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.position = PositionalEncoding()

    def forward(self, x):
        return self.position(x).relu()
