from torch import nn


class Net(nn.Module):
    def forward(self, x):
        with open("weights.txt") as file:
            return x * float(file.read())
