"""What each kind of expression becomes in the graph."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import fx, nn

LAB = {
    "statement": "Every operation on a traced value becomes one of six opcodes, by the way it is written.",
    "said_by": "paper 4.1, 4.2",
    "verdict": "holds",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "The opcode records how you wrote the operation, not what it computes: torch.relu(x) is a "
    "call_function, x.relu() a call_method, nn.ReLU()(x) a call_module. Plain Python values are not nodes: they "
    "stand in the arguments. Tensors made without a traced value are computed once and kept as constants.",
    "break_at": (
        "torch.fx.proxy.Proxy.__torch_function__",
        "torch.fx.proxy.Attribute.__call__",
        "torch.fx._symbolic_trace.Tracer.call_module",
        "torch.fx._symbolic_trace.Tracer.getattr",
        "torch.fx._symbolic_trace.Tracer.create_arg",
    ),
}


def helper(x: torch.Tensor) -> torch.Tensor:
    """Double the input; recorded as one call because it is wrapped below."""
    return x * 2


fx.wrap("helper")


class Probe(nn.Module):
    """A model whose forward is one expression."""

    def __init__(self, expression: Callable[[Any, Any], Any]) -> None:
        super().__init__()
        self.lin = nn.Linear(2, 2)
        self.weight = nn.Parameter(torch.ones(2))
        self.register_buffer("mean", torch.zeros(2))
        self.expression = expression

    def forward(self, x: torch.Tensor) -> Any:
        """Return the expression."""
        return self.expression(self, x)


EXPRESSIONS: tuple[tuple[str, Callable[[Any, Any], Any], list[str]], ...] = (
    ("x + 1", lambda _m, x: x + 1, ["call_function"]),
    ("1 - x", lambda _m, x: 1 - x, ["call_function"]),
    ("x[0]", lambda _m, x: x[0], ["call_function"]),
    ("x > 0", lambda _m, x: x > 0, ["call_function"]),
    ("torch.relu(x)", lambda _m, x: torch.relu(x), ["call_function"]),
    ("x.relu()", lambda _m, x: x.relu(), ["call_method"]),
    ("x.shape", lambda _m, x: x.shape, ["call_function"]),
    ("self.lin(x)", lambda m, x: m.lin(x), ["call_module"]),
    ("x * self.weight", lambda m, x: x * m.weight, ["get_attr", "call_function"]),
    ("x - self.mean", lambda m, x: x - m.mean, ["get_attr", "call_function"]),
    ("helper(x), wrapped", lambda _m, x: helper(x), ["call_function"]),
    ("x + torch.ones(2)", lambda _m, x: x + torch.ones(2), ["get_attr", "call_function"]),
    ("x * (2 ** 3)", lambda _m, x: x * (2**3), ["call_function"]),
    ("[x, {'k': 1}]", lambda _m, x: [x, {"k": 1}], []),
)


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Trace each expression alone and show the nodes between the placeholder and the output."""
    used = {"placeholder", "output"}
    for text, expression, opcodes in EXPRESSIONS:
        graph = fx.Tracer().trace(Probe(expression))
        nodes = list(graph.nodes)[1:-1]
        used |= {node.op for node in nodes}
        shown = "; ".join(str(node.format_node()) for node in nodes) or "no node: it stands in the arguments of output"
        yield text, shown, [node.op for node in nodes] == opcodes
    yield "opcodes seen", sorted(used), len(used) == 6
