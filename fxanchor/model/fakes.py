"""Fake tensors: shapes and types without data, so that nothing is computed and nothing large is held."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils import _pytree as pytree


@dataclass(frozen=True, slots=True)
class FakeInputs:
    """Example inputs as fake tensors.

    Attributes:
        mode: The mode they belong to.
        args: Positional values.
        kwargs: Values by name.
    """

    mode: FakeTensorMode
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


def fake_inputs(module: nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> FakeInputs:
    """Make fake tensors of example inputs, on the meta device when the model is there.

    Args:
        module: The model.
        args: Positional values.
        kwargs: Values by name.
    """
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    meta = on_meta(module)

    def fake(value: object) -> object:
        if not isinstance(value, torch.Tensor):
            return value
        with torch.no_grad():
            source = value.detach().to("meta") if meta else value.detach()
        return mode.from_tensor(source)

    return FakeInputs(mode, pytree.tree_map(fake, args), pytree.tree_map(fake, dict(kwargs)))


def on_meta(module: nn.Module) -> bool:
    """Whether the weights of a model have no data."""
    return any(tensor.is_meta for tensor in (*module.parameters(), *module.buffers()))


def is_data_dependent(error: BaseException) -> bool:
    """Whether an error says that fake tensors cannot know something, rather than that the model is wrong."""
    from torch._subclasses import fake_tensor

    names = (
        "DataDependentOutputException",
        "DynamicOutputShapeException",
        "UnsupportedFakeTensorException",
        "UnsupportedOperatorException",
        "UnsupportedMutationAliasingException",
        "MetadataMismatchError",
    )
    kinds = tuple(kind for name in names if isinstance(kind := getattr(fake_tensor, name, None), type))
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        if isinstance(cause, kinds) or re.search(r"FakeTensor|\bmeta (?:tensor|device)", str(cause)):
            return True
        cause = cause.__cause__ or cause.__context__
    return False
