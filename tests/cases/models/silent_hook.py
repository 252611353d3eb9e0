from torch import nn


def double(module, inputs, output):
    return output * 2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.register_forward_hook(double)

    def forward(self, x):
        return self.lin(x)
