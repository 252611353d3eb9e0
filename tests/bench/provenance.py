"""Times what it costs to know the line behind every node and to prove breakpoints, beside a bare `symbolic_trace`."""

import statistics
import time
from collections.abc import Callable
from functools import partial

import torch
import torchvision
from torch import nn

from fxanchor.model.places import Places
from fxanchor.model.symbolic import forward_code, run_symbolic

RUNS = 9


def traced(module: nn.Module) -> None:
    """Capture a module with the line behind every node."""
    code = forward_code(module)
    run = run_symbolic(module, Places([] if code is None else [code.co_filename]))
    if run.error is not None:
        raise run.error


def medians(*actions: Callable[[], object]) -> list[float]:
    """Time actions in turns, the first turn not counted."""
    times: list[list[float]] = [[] for _ in actions]
    for _ in range(RUNS + 1):
        for action, seconds in zip(actions, times, strict=True):
            began = time.perf_counter()
            action()
            seconds.append(time.perf_counter() - began)
    return [statistics.median(seconds[1:]) for seconds in times]


def main() -> None:
    """Print a tab-separated row for each model: what, beside what, seconds, seconds, bound."""
    for name in ("resnet152", "vit_b_16"):
        module = torchvision.models.get_model(name)
        ours, bare = medians(partial(traced, module), partial(torch.fx.symbolic_trace, module))
        print(f"provenance of {name}", "symbolic_trace", ours, bare, 1.6, sep="\t")


if __name__ == "__main__":
    main()
