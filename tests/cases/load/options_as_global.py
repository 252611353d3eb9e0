"""The options of a training script, which its classes read as a global; the script ends when there are no data."""

import argparse
import sys

from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--latent-dim", type=int, default=16)
parser.add_argument("--cuda", action="store_true")
opt = parser.parse_args()

if not opt.cuda:
    sys.exit("no data")


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(opt.latent_dim, 4)

    def forward(self, z):
        return self.lin(z)


class Discriminator(nn.Module):
    def __init__(self, options):
        super().__init__()
        self.lin = nn.Linear(4, options.latent_dim)

    def forward(self, x):
        return self.lin(x)


critic = Discriminator(opt)
