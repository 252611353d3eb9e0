"""replace_pattern: what it matches and what it does not."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import fx, nn
from torch.fx import replace_pattern

LAB = {
    "statement": "replace_pattern replaces every place that computes the same thing as the pattern.",
    "said_by": "common belief",
    "verdict": "does not hold",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "It compares graphs, node by node: same opcode, same target, same plain arguments. Another spelling, a "
    "module in the place of a function, swapped operands or another constant do not match, and neither does a place "
    "whose inner result is used outside. Arguments of the pattern stand for anything, also twice. Matches that "
    "overlap are replaced once.",
    "break_at": (
        "torch.fx.subgraph_rewriter._replace_pattern",
        "torch.fx.passes.utils.matcher_utils.SubgraphMatcher.match",
    ),
}


class Module(nn.Module):
    """The pattern with a module in the place of the function."""

    def __init__(self) -> None:
        super().__init__()
        self.relu = nn.ReLU()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Compute what the pattern computes."""
        return self.relu(x) + 1  # type: ignore[no-any-return]


def pattern(a: Any) -> Any:
    """Rectify and add one."""
    return torch.relu(a) + 1


def replacement(a: Any) -> Any:
    """Stand for the pattern."""
    return torch.sigmoid(a)


def used_outside(x: torch.Tensor) -> torch.Tensor:
    """Use the inner result a second time."""
    inner = torch.relu(x)
    return (inner + 1) * inner


CASES: tuple[tuple[str, Callable[[Any], Any], int], ...] = (
    ("torch.relu(x) + 1", lambda x: torch.relu(x) + 1, 1),
    ("torch.relu(x * 3) + 1", lambda x: torch.relu(x * 3) + 1, 1),
    ("(torch.relu(x) + 1) twice, in a row", lambda x: torch.relu(torch.relu(x) + 1) + 1, 2),
    ("F.relu(x) + 1", lambda x: F.relu(x) + 1, 1),
    ("x.relu() + 1", lambda x: x.relu() + 1, 1),
    ("nn.ReLU()(x) + 1", Module(), 1),
    ("1 + torch.relu(x)", lambda x: 1 + torch.relu(x), 1),
    ("torch.add(torch.relu(x), 1)", lambda x: torch.add(torch.relu(x), 1), 1),
    ("torch.relu(input=x) + 1", lambda x: torch.relu(input=x) + 1, 1),
    ("(inner + 1) * inner, inner = torch.relu(x)", used_outside, 1),
)


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Count the matches of one pattern in equal computations, and look at three finer points."""
    for text, function, wanted in CASES:
        gm = fx.symbolic_trace(function)
        matches = replace_pattern(gm, pattern, replacement)
        yield text, f"{len(matches)} of {wanted} replaced", len(matches) == wanted
    gm = fx.symbolic_trace(lambda x: torch.relu(x) + 2)
    yield "torch.relu(x) + 2, another constant", f"{len(replace_pattern(gm, pattern, replacement))} replaced", None
    gm = fx.symbolic_trace(lambda x, y: (x + x) * (x + y))
    matches = replace_pattern(gm, lambda a, b: a + b, lambda a, b: a - b)
    yield "pattern a + b takes x + x as well as x + y", f"{len(matches)} replaced", None
    gm = fx.symbolic_trace(lambda x: x.neg().neg().neg())
    matches = replace_pattern(gm, lambda a: a.neg().neg(), lambda a: a)
    yield "a.neg().neg() in x.neg().neg().neg(), where two places overlap", f"{len(matches)} replaced", None
    yield "code then", gm.code.strip(), None
    x = torch.tensor([-1.0, 2.0])
    gm = fx.symbolic_trace(lambda x: torch.relu(x) + 1)
    replace_pattern(gm, pattern, replacement)
    yield "the module is recompiled at once", torch.equal(gm(x), torch.sigmoid(x)), None
