import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        scale = torch.from_numpy(np.linspace(0, 1, 4, dtype=np.float32))
        return x * scale
