from torch import nn


class Net(nn.Module):
    def forward(self, x):
        total = 0
        for row in x:
            total = total + row.sum()
        return total
