"""A quantising, a pruning and a Conv-BatchNorm fusing transform, each checked by numbers and by its code."""

import copy
from collections.abc import Iterator
from typing import Any

import torch
from torch import fx, nn

LAB = {
    "statement": "Batch normalisation can be folded into the weights of the convolution before it, with equal results.",
    "said_by": "paper 6.2.1, 6.2.2",
    "verdict": "holds",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "A GraphModule holds code and weights together, so a transform can change both. Fusing is exact up to "
    "rounding, in evaluation mode only. Rounding weights to 8 bits moves each by at most half a step, and pruning "
    "changes the result by what was cut off: both change weights and leave the code alone.",
    "break_at": ("torch.fx.graph_module.GraphModule.recompile", "torch.fx.experimental.optimization.fuse"),
}


class Net(nn.Module):
    """A convolution, its normalisation, and a linear layer."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.bn = nn.BatchNorm2d(4)
        self.lin = nn.Linear(4, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Compute two scores."""
        return self.lin(torch.relu(self.bn(self.conv(x))).mean((2, 3)))  # type: ignore[no-any-return]


def fuse(gm: fx.GraphModule) -> None:
    """Fold each BatchNorm2d into the convolution that feeds only it."""
    modules = dict(gm.named_modules())
    for node in list(gm.graph.nodes):
        if node.op != "call_module" or not isinstance(bn := modules[node.target], nn.BatchNorm2d):
            continue
        source = node.args[0]
        conv = modules.get(str(source.target))
        if source.op == "call_module" and isinstance(conv, nn.Conv2d) and len(source.users) == 1:
            parent, _, name = source.target.rpartition(".")
            setattr(gm.get_submodule(parent), name, torch.nn.utils.fuse_conv_bn_eval(conv, bn))
            node.replace_all_uses_with(source)
            gm.graph.erase_node(node)
    gm.delete_all_unused_submodules()
    gm.recompile()


def quantise(gm: fx.GraphModule) -> float:
    """Round the weights of linear layers to 8 bits; return the largest change in steps."""
    largest = 0.0
    for module in gm.modules():
        if isinstance(module, nn.Linear):
            step = module.weight.detach().abs().amax(1, keepdim=True) / 127
            rounded = torch.round(module.weight.detach() / step) * step
            largest = max(largest, float(((rounded - module.weight.detach()) / step).abs().max()))
            module.weight.data = rounded
    return largest


def prune(gm: fx.GraphModule) -> int:
    """Set the smaller half of each weight of linear layers to zero; return the number of zeros."""
    zeros = 0
    for module in gm.modules():
        if isinstance(module, nn.Linear):
            limit = module.weight.detach().abs().flatten().median()
            module.weight.data = torch.where(module.weight.abs() > limit, module.weight, 0.0).detach()
            zeros += int((module.weight == 0).sum())
    return zeros


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Transform a small model three ways."""
    net = Net()
    net.bn.running_mean, net.bn.running_var = torch.randn(4), torch.rand(4) + 0.5
    traced: Any = fx.symbolic_trace(net.eval())
    x = torch.randn(2, 3, 6, 6)
    expected = net(x)
    fused = copy.deepcopy(traced)
    fuse(fused)
    error = float((fused(x) - expected).abs().max().detach())
    yield "fusion: code", fused.code.strip(), "bn" not in fused.code
    yield "fusion: largest difference is below 1e-5", error < 1e-5, error < 1e-5
    yield "fusion: modules left", [name for name, _ in fused.named_modules() if name], None
    trained = copy.deepcopy(traced).train()
    try:
        fuse(trained)
        yield "fusion of a module in training mode", "done", None
    except Exception as problem:
        yield "fusion of a module in training mode", f"{type(problem).__name__}: {problem}", None
    quantised = copy.deepcopy(traced)
    steps = quantise(quantised)
    bound = float((quantised.lin.weight - traced.lin.weight).abs().sum(1).max().detach()) * float(
        torch.relu(net.bn(net.conv(x))).mean((2, 3)).abs().max().detach()
    )
    error = float((quantised(x) - expected).abs().max().detach())
    yield "quantisation: no weight moves by more than half a step", steps <= 0.5 + 1e-3, None
    yield "quantisation: the difference is not more than the moved weights allow", error <= bound + 1e-6, None
    yield "quantisation: the code is the same", quantised.code == traced.code, None
    pruned = copy.deepcopy(traced)
    zeros = prune(pruned)
    yield "pruning: weights that are zero now", f"{zeros} of {pruned.lin.weight.numel()}", None
    yield "pruning: the code is the same", pruned.code == traced.code, None
    yield "the traced module that was copied is unchanged", torch.equal(traced(x), expected), None
