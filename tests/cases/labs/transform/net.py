import torch
import torch.nn.functional as F
from torch import nn

class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(3, channels, 3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(channels)
    def forward(self, x):
        return F.relu(self.bn(self.conv(x)))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block(8)
        self.act = nn.ReLU()
        self.scale = nn.Parameter(torch.full((1,), 0.5))
        self.head = nn.Linear(8, 4)
    def forward(self, x):
        y = self.block(x)
        y = y + self.act(y - 1)
        y = torch.add(y, torch.relu(y * self.scale))
        y += y.relu()
        y = 1 + y.add(y).mean((2, 3))
        return self.head(y)

def evaluated():
    torch.manual_seed(0)
    return Net().eval()
