import torch
import torch.nn as nn


class DropPath(nn.Module):
    def __init__(self, p=0.1):
        super().__init__()
        self.p = p

    def forward(self, x):
        if self.p == 0.0 or not self.training:
            return x
        keep = 1 - self.p
        shape = (x.shape[0],) + (1,) * (x.ndim - 1)
        mask = x.new_empty(shape).bernoulli_(keep)
        return x / keep * mask


class Window(nn.Module):
    def __init__(self, size=2):
        super().__init__()
        self.size = size

    def forward(self, x):
        B, H, W, C = x.shape
        pad = (self.size - W % self.size) % self.size
        if pad > 0:
            x = nn.functional.pad(x, (0, 0, 0, pad))
        x = x.view(B, H // self.size, self.size, W // self.size, self.size, C)
        return x.permute(0, 1, 3, 2, 4, 5).reshape(B, -1, C)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.window = Window()
        self.drop = DropPath()
        self.lin = nn.Linear(4, 4)

    def forward(self, x, return_features=False):
        feats = []
        x = self.window(x)
        for i in range(int(x.shape[1] ** 0.5)):
            x = self.drop(self.lin(x))
            feats.append(x)
        h = torch.zeros(x.size(0), 4, device=x.device)
        if return_features:
            return feats
        return h + x.mean(1)
