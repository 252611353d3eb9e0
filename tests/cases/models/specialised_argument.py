from torch import fx, nn


class Repeat(nn.Module):
    def forward(self, x, n=2):
        for _ in range(n):
            x = x * 2
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.repeat = fx.symbolic_trace(Repeat(), concrete_args={"n": 2})

    def forward(self, x):
        return self.repeat(x, 3) + 1
