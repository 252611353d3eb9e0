"""The line behind every node, checked against the line events of the interpreter on models of torchvision."""

import sys
import warnings

import pytest
import torch
import torchvision
from helpers.ground_truth import Truth
from torch import nn

from fxanchor.model.places import Owner, Places
from fxanchor.model.positions import Locator
from fxanchor.model.rows import rows_of
from fxanchor.model.sources import Sources
from fxanchor.model.symbolic import run_symbolic

NAMES = [
    "alexnet",
    "convnext_tiny",
    "densenet121",
    "efficientnet_b0",
    "googlenet",
    "inception_v3",
    "mobilenet_v3_small",
    "mvit_v2_s",
    "regnet_x_400mf",
    "resnet50",
    "s3d",
    "shufflenet_v2_x0_5",
    "squeezenet1_0",
    "swin_v2_t",
    "vit_b_16",
]


def build(name: str) -> nn.Module:
    """A model without data: tracing reads none."""
    # A regnet computes its widths with tensors.
    with warnings.catch_warnings(), torch.device("cpu" if name.startswith("regnet") else "meta"):
        warnings.simplefilter("ignore")
        module: nn.Module = torchvision.models.get_model(name, weights=None)
    return module


@pytest.mark.skipif(sys.gettrace() is not None, reason="line events are taken by a debugger or by coverage")
@pytest.mark.parametrize("name", NAMES)
def test_every_node_has_the_line_that_ran(name: str) -> None:
    module = build(name)
    file = sys.modules[type(module).__module__].__file__
    assert file is not None
    places = Places([file])
    truth = Truth(lambda path: places.owner(path) is Owner.USER)

    graph = truth.trace(module)
    run = run_symbolic(module, places)
    rows = rows_of(run, module, Locator(places, Sources()))

    assert run.graph_module is not None
    assert [node.name for node in graph.nodes] == [row.name for row in rows]
    calls = [
        (row.name, (row.trigger.file, row.trigger.line) if row.trigger else None, (places.shown(line[0]), line[1]))
        for row, line in zip(rows, truth.lines, strict=True)
        if line is not None
    ]
    # A named tuple that forward returns is made of its items when forward has ended.
    made_of_result = sum(row.trigger == rows[-1].trigger and row.op == "call_function" for row in rows)
    assert sum(row.op.startswith("call_") for row in rows) - made_of_result <= len(calls)
    assert [(name, ours) for name, ours, _ in calls] == [(name, theirs) for name, _, theirs in calls]
