from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x, has_mask=True):
        y = self.lin(x)
        if has_mask:
            y = y * 2
        return y
