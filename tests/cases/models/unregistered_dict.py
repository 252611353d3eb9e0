from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = {"a": nn.Linear(4, 2), "b": nn.Linear(4, 3)}

    def forward(self, x):
        return self.heads["a"](x), self.heads["b"](x)
