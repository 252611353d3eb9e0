"""Training a traced and transformed module."""

import copy
from collections.abc import Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import fx, nn

LAB = {
    "statement": "A traced module trains like the model it came from: same gradients, same parameters, same steps.",
    "said_by": "paper 4.2",
    "verdict": "holds",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "The generated code calls the same operations on the same parameter objects, so a step on the traced "
    "module moves the model, too. Parameters that a transform adds are trained when the optimiser is made after it.",
    "break_at": ("torch.fx.graph_module.GraphModule.__init__", "torch.fx.graph_module._WrappedCall.__call__"),
}


class Net(nn.Module):
    """A small regression."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.second = nn.Linear(8, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Predict."""
        return self.second(torch.relu(self.first(x)))  # type: ignore[no-any-return]


def step(module: nn.Module, x: torch.Tensor, y: torch.Tensor) -> float:
    """Take one step of gradient descent and return the loss before it."""
    optimiser = torch.optim.SGD(module.parameters(), lr=0.1)
    optimiser.zero_grad()
    loss: Any = F.mse_loss(module(x), y)
    loss.backward()
    optimiser.step()
    return float(loss.detach())


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Train a model and its traced copy side by side, then a transformed one."""
    x, y = torch.randn(16, 4), torch.randn(16, 1)
    net = Net()
    traced = fx.symbolic_trace(copy.deepcopy(net))
    losses = [(step(net, x, y), step(traced, x, y)) for _ in range(5)]
    yield "same loss in five steps", all(one == other for one, other in losses), all(a == b for a, b in losses)
    pairs = list(zip(net.parameters(), traced.parameters(), strict=True))
    same = all(torch.equal(one, other) for one, other in pairs)
    yield "same parameters after five steps", same, same
    own = fx.symbolic_trace(net)
    shared = all(one is other for one, other in zip(own.parameters(), net.parameters(), strict=True))
    yield "the traced module has the model's own parameter objects", shared, shared
    before = net.first.weight.detach().clone()
    step(own, x, y)
    yield "a step on the traced module moved the model", not torch.equal(before, net.first.weight), None
    for node in own.graph.nodes:
        if node.target is torch.relu:
            own.add_submodule("slope", nn.PReLU())
            node.op, node.target = "call_module", "slope"
    own.recompile()
    names = [name for name, _ in own.named_parameters()]
    yield "parameters after replacing relu by PReLU", names, None
    first = step(own, x, y)
    for _ in range(20):
        last = step(own, x, y)
    yield "the transformed module's loss falls", last < first, last < first
    slope = dict(own.named_parameters())["slope.weight"]
    yield "the added parameter has a gradient", slope.grad is not None, slope.grad is not None
