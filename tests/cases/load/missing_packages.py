"""Packages that are not there and are only needed for training and plotting."""

import absent_logger
import absent_plots as plt
from absent_layers.drop import DropPath
from absent_jit import njit
from torch import nn
from torchvision.models.absent import load_weights

try:
    import absent_attention
except ImportError:
    absent_attention = None
try:
    from absent_fast import norm as Norm
except (ImportError, RuntimeError):
    from torch.nn import LayerNorm as Norm

assert absent_attention is None
assert Norm is nn.LayerNorm
plt.style.use("dark")
run = absent_logger.start(project="x")


@njit
def double(x: "absent_logger.Array[int] | None") -> int:
    return 2 * x


@absent_logger.main(path=".")
def main(options: absent_logger.Options | None = None):
    plt.show()


class Trainer(absent_logger.Trainer):
    def step(self):
        self.log(DropPath)


class Net(nn.Module):
    def forward(self, x):
        return double(x)
