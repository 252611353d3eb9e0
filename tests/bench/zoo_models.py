"""Builds any model of torchvision by name, with random weights: what the zoo traces."""

import inspect

import torchvision
from torch import nn


def build(name: str) -> nn.Module:
    """Return a model of torchvision, in evaluation mode: in training mode detectors want targets as well.

    Args:
        name: As `torchvision.models.list_models()` spells it.
    """
    builder = torchvision.models.get_model_builder(name)
    weightless = {key: None for key in inspect.signature(builder).parameters if key.startswith("weights")}
    model: nn.Module = builder(**weightless)
    return model.eval()
