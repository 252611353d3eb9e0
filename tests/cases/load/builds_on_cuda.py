"""Asks for CUDA when it is built."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2, device="cuda")
        self.mask = torch.ones(2).cuda()
        self.scale = torch.ones(2).to(torch.device("cuda:0"), torch.float64)
        self.cuda()
        self.to("cuda", non_blocking=True)



