import torch


class Net(torch.nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = torch.nn.Linear(width, depth)

    def forward(self, x):
        return self.layers(x)
