from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x, steps=3):
        for _ in range(steps):
            x = self.lin(x).relu()
        return x
