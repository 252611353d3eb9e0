from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = nn.ModuleList(nn.Linear(4, 4) for _ in range(2))

    def forward(self, x):
        out = x * 0
        for index, expert in enumerate(self.experts):
            out[:, index] += expert(x)[:, 0] * 2
        return out
