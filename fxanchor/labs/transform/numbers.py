"""Run modules on the same inputs and compare what they give."""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.utils import _pytree as pytree

from fxanchor.labs.transform.report import Comparison
from fxanchor.model.guard import kept
from fxanchor.model.plain import one_line
from fxanchor.model.raised import repr_of, summary


class Inputs(NamedTuple):
    """What a module is called with."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]


def run_module(module: nn.Module, inputs: Inputs) -> object:
    """Run a module, always with the same random numbers, and leave it as it was.

    Args:
        module: The module; whether it is training stays as it is.
        inputs: What a copy of is handed to it.
    """
    with unharmed(module, inputs) as (args, kwargs):
        return module(*args, **kwargs)


@contextmanager
def unharmed(module: nn.Module, inputs: Inputs) -> Iterator[Inputs]:
    """Give copies of the inputs to run a module on, and put back what it counts and keeps.

    The module itself runs and not a copy: a copy of a GraphModule has code of its own, also where the graph was
    edited and the old code still runs, and a graph that is out of order cannot be copied.

    Args:
        module: The module.
        inputs: The inputs.
    """
    args, kwargs = copy.deepcopy((inputs.args, inputs.kwargs))
    buffers = [(buffer, buffer.detach().clone()) for buffer in module.buffers()]
    torch.manual_seed(0)
    try:
        with torch.no_grad(), kept(module):
            yield Inputs(args, kwargs)
    finally:
        with torch.no_grad():
            for buffer, value in buffers:
                buffer.copy_(value)


def compare_results(expected: object, result: object, tolerance: float) -> Comparison:
    """Compare two results, of any nesting.

    Args:
        expected: The model's.
        result: The transformed module's.
        tolerance: Allowed: absolute, and once more relative to the model's value.
    """
    left, left_form = pytree.tree_flatten(expected)
    right, right_form = pytree.tree_flatten(result)
    if left_form != right_form:
        return _problem(f"the model gives {_form(expected)}, this gives {_form(result)}", tolerance)
    absolute = relative = 0.0
    within = True
    for index, (one, other) in enumerate(zip(left, right, strict=True)):
        if not isinstance(one, torch.Tensor) or not isinstance(other, torch.Tensor):
            try:
                differ = type(one) is not type(other) or (one != other) is True
            except (Exception, SystemExit) as error:
                return _problem(f"value {index + 1} cannot be compared ({summary(error)})", tolerance)
            if differ:
                return _problem(f"value {index + 1} was {_value(one)} and is {_value(other)}", tolerance)
            continue
        if one.shape != other.shape:
            return _problem(f"shape {tuple(one.shape)} became {tuple(other.shape)}", tolerance)
        if one.dtype != other.dtype:
            return _problem(f"data type {one.dtype} became {other.dtype}", tolerance)
        if one.numel():
            size = _numbers(one).abs()
            gap = difference(one, other)
            absolute = max(absolute, float(gap.max()))
            relative = max(relative, float((gap / torch.where(size == 0, float("inf"), size)).nan_to_num().max()))
            within = within and bool((gap <= tolerance + tolerance * size.nan_to_num()).all())
    return Comparison(absolute, relative, tolerance, within)


def difference(one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Return absolute differences; what is the same infinity or no number on both sides does not differ."""
    left, right = _numbers(one), _numbers(other)
    same = (left == right) | (left.isnan() & right.isnan())
    return torch.where(same, 0.0, (left - right).abs()).nan_to_num(float("inf"), posinf=float("inf"))


def _numbers(value: torch.Tensor) -> torch.Tensor:
    value = value.detach()
    value = value.dequantize() if value.is_quantized else value
    return value if value.is_complex() else value.double()


def _value(value: object) -> str:
    """Return a value in a few words: a tensor by its form, another one as code writes it."""
    if isinstance(value, torch.Tensor):
        return f"a tensor of shape {tuple(value.shape)}"
    return one_line(repr_of(value), 60)


def _form(value: object) -> str:
    return f"a {type(value).__name__}" + (f" of {len(value)}" if isinstance(value, tuple | list | dict) else "")


def _problem(text: str, tolerance: float) -> Comparison:
    return Comparison(float("nan"), float("nan"), tolerance, False, text)
