"""Models that are traced right are not warned about: the only true warning about these is the training flag."""

import sys
import warnings
from pathlib import Path

import pytest
import torch
import torchvision
from helpers.models import Loaded

from fxanchor.model.capture import capture
from fxanchor.model.options import CaptureOptions

NAMES = [
    "alexnet",
    "convnext_tiny",
    "densenet121",
    "googlenet",
    "lraspp_mobilenet_v3_large",
    "maxvit_t",
    "mobilenet_v3_small",
    "resnet18",
    "shufflenet_v2_x0_5",
    "swin_v2_t",
    "vit_b_32",
]


@pytest.mark.parametrize("name", NAMES)
def test_no_false_warning(name: str) -> None:
    weightless = {"weights": None, **({"weights_backbone": None} if name.startswith("lraspp") else {})}
    with warnings.catch_warnings(), torch.device("meta"):
        warnings.simplefilter("ignore")
        module = torchvision.models.get_model(name, **weightless)
    file = sys.modules[type(module).__module__].__file__
    assert file is not None

    found = capture(Loaded(module, Path(file)), CaptureOptions(only_fx=True))

    assert found.ok
    assert {blocker.kind for blocker in found.blockers} <= {"training-baked"}
    assert all("training" in blocker.expression for blocker in found.blockers)
    assert all(row.trigger is not None for row in found.nodes if row.op.startswith("call_"))
