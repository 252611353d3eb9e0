"""Keep the weights of linear layers as 8-bit integers and one scale for each output; compute in floating point.

Try it: fxanchor transform MODEL --pass "quantisation.py:Quantise(bits=8)" --input 4x16 --tolerance 0.05
"""

import torch
import torch.nn.functional as F
from torch import fx, nn


class QuantisedLinear(nn.Module):
    """A linear layer whose weight is kept as integers.

    Attributes:
        weight: The integers.
        scale: What one step is worth, for each output.
    """

    def __init__(self, linear: nn.Linear, bits: int) -> None:
        super().__init__()
        largest = 2 ** (bits - 1) - 1
        weight = linear.weight.detach()
        # An output whose weights are all zero has no largest weight to scale by.
        scale = weight.abs().amax(1, keepdim=True).clamp(min=torch.finfo(weight.dtype).tiny) / largest
        self.weight: torch.Tensor
        self.scale: torch.Tensor
        self.register_buffer("weight", torch.round(weight / scale).to(torch.int8))
        self.register_buffer("scale", scale)
        self.bias = linear.bias

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return what the layer computes, up to rounding."""
        return F.linear(x, self.weight * self.scale, self.bias)


class Quantise:
    """Weight-only quantisation of every linear layer.

    Args:
        bits: Width of the integers, 2 to 8.
    """

    def __init__(self, bits: int = 8) -> None:
        self.bits = bits

    def transform(self, gm: fx.GraphModule) -> fx.GraphModule:
        """Return the module with its linear layers replaced; the graph needs no edit, because the paths stay."""
        for path, module in list(gm.named_modules()):
            if type(module) is nn.Linear:
                parent, _, name = path.rpartition(".")
                setattr(gm.get_submodule(parent), name, QuantisedLinear(module, self.bits))
        return gm
