"""The paper's own numbers: what fusing Conv and BatchNorm does to the time of ResNet50 on a CPU."""

import copy
import importlib
import statistics
import time
from collections.abc import Iterator
from typing import Any

import torch
from torch import fx, nn

LAB = {
    "statement": "Fusing BatchNorm into convolutions makes ResNet50 faster on a CPU.",
    "said_by": "paper 6.2.2, Figure 7, C",
    "verdict": "holds",
    "seen_on": ("2.13.0", "2.14.1"),
    "needs": ("torchvision",),
    "slow": True,
    "meaning": "The paper measured 40 % less time with threads and 18 % without, on a server of 2021. How much it is "
    "here depends on the processor, its load and the library's own fusions; only the ratio of the two, measured in "
    "turns, says something, and only beyond its spread.",
    "break_at": ("torch.fx.experimental.optimization.fuse",),
}

ROUNDS = 9


def fuse(gm: fx.GraphModule) -> int:
    """Fold each BatchNorm2d into the convolution that feeds only it; return how many."""
    modules, fused = dict(gm.named_modules()), 0
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
            fused += 1
    gm.recompile()
    return fused


def seconds(module: nn.Module, x: torch.Tensor) -> float:
    """Return the time of one call in seconds."""
    start = time.perf_counter()
    module(x)
    return time.perf_counter() - start


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Call both modules in turns, with all threads and with one."""
    model: Any = fx.symbolic_trace(importlib.import_module("torchvision.models").resnet50().eval())
    fused = copy.deepcopy(model)
    yield "convolutions fused", fuse(fused), None
    x = torch.randn(2, 3, 224, 224)
    threads = torch.get_num_threads()
    try:
        for count, paper in ((threads, "0.71"), (1, "0.85")):
            torch.set_num_threads(count)
            with torch.inference_mode():
                difference = float((fused(x) - model(x)).abs().max() / model(x).abs().max())
                ratios = sorted(seconds(fused, x) / seconds(model, x) for _ in range(ROUNDS))
            name = "all threads" if paper == "0.71" else "one thread"
            low, middle, high = ratios[1], statistics.median(ratios), ratios[-2]
            # A difference within the spread says nothing either way.
            faster = None if low < 1 < high else middle < 1
            yield f"{name}: fused by unfused time, median (paper: {paper}) (varies)", f"{middle:.2f}", faster
            yield f"{name}: spread without the extremes (varies)", f"{low:.2f} to {high:.2f}", None
            yield f"{name}: relative difference of the results is below 1e-4", difference < 1e-4, None
    finally:
        torch.set_num_threads(threads)
