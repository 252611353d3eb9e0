from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, idx, targets=None, augment: bool = False):
        y = self.lin(idx)
        if augment:
            y = y * 2
        if targets is not None:
            return y, (y - targets).sum()
        return y
