"""Example inputs for a model: made from their text, from a call in the model's file, or from its first layer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from fxanchor.errors import InputError, UsageError
from fxanchor.model.inputs import ConstantText, GroupText, InputsText, InputText, TensorText
from fxanchor.model.limits import RAISED

_LARGEST_BYTES = 2**28
_SEED = 0


@dataclass(frozen=True, slots=True)
class ExampleInputs:
    """Values to call a model with.

    Attributes:
        args: Positional values. Tensors are on the CPU, or on the meta device when they are very large.
        kwargs: Values by name.
        origin: Where they come from, in words: `--input`, `as at line 14`, `from the first layer, fc1`.
    """

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    origin: str


def on_meta(inputs: ExampleInputs) -> ExampleInputs:
    """Return the inputs with their tensors, also those in tuples, lists and dicts, on the meta device.

    Args:
        inputs: Any inputs.
    """
    return ExampleInputs(
        tuple(_to_meta(each) for each in inputs.args),
        {name: _to_meta(each) for name, each in inputs.kwargs.items()},
        inputs.origin,
    )


def _to_meta(value: object) -> object:
    if isinstance(value, torch.Tensor):
        return value.to("meta")
    if type(value) in (tuple, list):
        return type(value)(_to_meta(each) for each in value)  # type: ignore[attr-defined, call-arg]
    if type(value) is dict:
        return {key: _to_meta(each) for key, each in value.items()}
    return value


def make_inputs(text: InputsText, namespace: Mapping[str, Any]) -> ExampleInputs:
    """Make the values that a text asks for.

    Floating point tensors are drawn from the normal distribution with a fixed seed, integers from 0 to below their
    bound (2 when none is given), booleans are all true.

    Args:
        text: What was asked for.
        namespace: The model's module, for a function that returns the inputs.

    Raises:
        UsageError: When there is no such function.
        InputError: When the function raises.
    """
    if text.function:
        return _from_function(text.function, namespace)
    generator = torch.Generator().manual_seed(_SEED)
    args = tuple(_value(each, generator) for each in text.positional)
    return ExampleInputs(args, {name: _value(each, generator) for name, each in text.named}, "--input")


def _from_function(name: str, namespace: Mapping[str, Any]) -> ExampleInputs:
    function = namespace.get(name)
    if not callable(function):
        raise UsageError(f"--input names {name}, which is no function of the model's file; define it, or give shapes.")
    torch.manual_seed(_SEED)
    try:
        value = function()
    except RAISED as error:
        raise InputError(
            f"The function {name} that --input names raised {type(error).__name__}; correct it, or give shapes."
        ) from error
    origin = f"--input {name}"
    if isinstance(value, Mapping):
        return ExampleInputs((), {str(key): each for key, each in value.items()}, origin)
    return ExampleInputs(tuple(value) if isinstance(value, tuple | list) else (value,), {}, origin)


def _value(text: InputText, generator: torch.Generator) -> object:
    match text:
        case ConstantText(value=value):
            return value
        case GroupText(items=items, is_list=is_list):
            values = [_value(each, generator) for each in items]
            return values if is_list else tuple(values)
        case TensorText():
            return _tensor(text, generator)


def _tensor(text: TensorText, generator: torch.Generator) -> torch.Tensor:
    dtype: torch.dtype = getattr(torch, text.dtype)
    meta = torch.empty(text.shape, dtype=dtype, device="meta")
    if meta.numel() * meta.element_size() > _LARGEST_BYTES:
        return meta
    if dtype is torch.bool:
        return torch.ones(text.shape, dtype=dtype)
    if dtype.is_floating_point or dtype.is_complex:
        wide = dtype if dtype in {torch.float32, torch.float64, torch.complex64, torch.complex128} else torch.float32
        return torch.randn(text.shape, dtype=wide, generator=generator).to(dtype)
    return torch.randint(0, text.below or 2, text.shape, generator=generator).to(dtype)
