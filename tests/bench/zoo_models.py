"""Builds any model of torchvision by name, with random weights: what the zoo traces."""

import inspect

import torch
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


def pictures() -> tuple[list[torch.Tensor]]:
    """Return inputs of a detector: a list of pictures, here of one."""
    return ([torch.rand(3, 256, 320)],)


def two_frames() -> tuple[torch.Tensor, torch.Tensor]:
    """Return inputs of a model of optical flow: two frames of a film."""
    return torch.rand(1, 3, 128, 128), torch.rand(1, 3, 128, 128)
