from torch import nn


class FrozenBatchNorm(nn.BatchNorm2d):
    def forward(self, x):
        return super().forward(x) * 2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = FrozenBatchNorm(3)

    def forward(self, x):
        return self.norm(x).relu()
