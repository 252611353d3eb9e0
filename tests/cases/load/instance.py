"""A module-level instance beside its loss and its parts."""

import torch
from torch import nn

stem = nn.Conv2d(3, 4, 3)
model = nn.Sequential(stem, nn.ReLU())
loss = nn.CrossEntropyLoss()


def check():
    image = torch.zeros((1, 3, 8, 8))
    return model(image)
