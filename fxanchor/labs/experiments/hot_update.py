"""Hot update: change what a live module computes, while it is being called."""

import threading
import time
import timeit
from collections.abc import Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import fx, nn

LAB = {
    "statement": "A call that is running while the module is changed gives the old result or the new one, no mixture.",
    "said_by": "common belief",
    "verdict": "does not hold",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "Retargeting and recompile swap one Python function: a running call finishes on the old code. But "
    "assigning another submodule takes effect at the next time the running code reads it, so one call can use both. "
    "A target that does not exist is told by lint or at the call, never by recompile.",
    "break_at": ("torch.fx.graph_module.GraphModule.recompile", "torch.fx.graph_module._forward_from_src"),
}


class Net(nn.Module):
    """A model that uses its activation twice, with a meeting point in between."""

    def __init__(self) -> None:
        super().__init__()
        self.act = nn.ReLU()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Add both results."""
        first: torch.Tensor = self.act(x)
        return first + self.act(between(x))  # type: ignore[no-any-return]


during: list[Any] = []


def between(x: torch.Tensor) -> torch.Tensor:
    """Run what was asked for in the middle of the next call."""
    if during:
        during.pop()()
    return x


fx.wrap("between")


def by_function(gm: fx.GraphModule, function: Any) -> None:
    """Retarget every activation to a function and recompile."""
    for node in gm.graph.nodes:
        if node.op == "call_module" or node.target in (torch.relu, F.gelu):
            node.op, node.target = "call_function", function
    gm.recompile()


def by_submodule(gm: fx.GraphModule) -> None:
    """Put another submodule in the place of the activation."""
    gm.act = nn.GELU()


def attempt(action: Any) -> str:
    """Return what an action raises, or `no error`."""
    try:
        action()
    except Exception as error:
        first_line = str(error).partition("\n")[0]
        return f"{type(error).__name__}: {first_line}"
    return "no error"


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Change a live module by function and by submodule, between calls, inside a call and from another thread."""
    x = torch.tensor([-1.0, 2.0])
    old, new = 2 * F.relu(x), 2 * F.gelu(x)
    for name, change in (("by function", lambda gm: by_function(gm, F.gelu)), ("by submodule", by_submodule)):
        gm = fx.symbolic_trace(Net())
        change(gm)
        yield f"changed {name} between two calls, the next call is the new one", torch.allclose(gm(x), new), None
        gm = fx.symbolic_trace(Net())
        during.append(lambda gm=gm, change=change: change(gm))
        middle = gm(x)
        whole = torch.allclose(middle, old) or torch.allclose(middle, new)
        yield f"changed {name} inside a call, that call is wholly old or new", whole, whole
        yield f"and the next call is the new one ({name})", torch.allclose(gm(x), new), None
    gm = fx.symbolic_trace(Net())
    results: list[bool] = []
    stop = threading.Event()

    def call() -> None:
        while not stop.is_set():
            result = gm(x)
            results.append(torch.allclose(result, old) or torch.allclose(result, new))

    caller = threading.Thread(target=call)
    caller.start()
    while not results:
        time.sleep(0.001)
    for turn in range(100):
        by_function(gm, torch.relu if turn % 2 else F.gelu)
    stop.set()
    caller.join()
    yield "100 recompiles while another thread calls: every result wholly old or new", all(results), None
    gm = fx.symbolic_trace(Net())
    next(node for node in gm.graph.nodes if node.op == "call_module").target = "nowhere"
    yield "a module target that does not exist: recompile", attempt(gm.recompile), None
    yield "a module target that does not exist: lint", attempt(gm.graph.lint), None
    yield "a module target that does not exist: call", attempt(lambda: gm(x)), None
    gm = fx.symbolic_trace(Net())
    by_function(gm, torch.matmul)
    yield "a function that needs another argument: call", attempt(lambda: gm(x)), None
    gm = fx.symbolic_trace(Net())
    update = min(timeit.repeat(lambda: by_function(gm, F.gelu), number=20, repeat=3))
    trace = min(timeit.repeat(lambda: fx.symbolic_trace(Net()), number=20, repeat=3))
    yield "time of retarget and recompile, as a share of tracing anew (varies)", f"{update / trace:.1f}", None
