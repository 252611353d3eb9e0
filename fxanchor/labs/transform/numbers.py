"""Compare the results of two modules on the same inputs, and the weights of a module before and after."""

import copy
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.utils import _pytree as pytree

from fxanchor.labs.transform.report import Comparison, StateChange
from fxanchor.model.guard import kept

State = dict[str, torch.Tensor]


class Inputs(NamedTuple):
    """What a module is called with."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]


def run_module(module: nn.Module, inputs: Inputs) -> object:
    """Run a module, always with the same random numbers, and put back what it counts and keeps.

    It runs as it is and not as a copy: a copy of a GraphModule has code of its own, also where the graph was edited
    and the old code still runs.

    Args:
        module: The module; whether it is training stays as it is.
        inputs: What a copy of is handed to it.
    """
    args, kwargs = copy.deepcopy((inputs.args, inputs.kwargs))
    buffers = [(buffer, buffer.detach().clone()) for buffer in module.buffers()]
    torch.manual_seed(0)
    try:
        with torch.no_grad(), kept(module):
            return module(*args, **kwargs)
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
            if type(one) is not type(other) or (one != other) is True:
                return _problem(f"value {index + 1} was {one!r:.60} and is {other!r:.60}", tolerance)
            continue
        if one.shape != other.shape:
            return _problem(f"shape {tuple(one.shape)} became {tuple(other.shape)}", tolerance)
        if one.dtype != other.dtype:
            return _problem(f"data type {one.dtype} became {other.dtype}", tolerance)
        if one.numel():
            size = _numbers(one).abs()
            difference = _difference(one, other)
            absolute = max(absolute, float(difference.max()))
            relative = max(
                relative, float((difference / torch.where(size == 0, float("inf"), size)).nan_to_num().max())
            )
            within = within and bool((difference <= tolerance + tolerance * size.nan_to_num()).all())
    return Comparison(absolute, relative, tolerance, within)


def keep_state(module: nn.Module) -> State:
    """Return copies of all parameters and buffers by name."""
    return {name: value.detach().clone() for name, value in _tensors(module)}


def state_changes(before: Mapping[str, torch.Tensor], module: nn.Module) -> Iterator[StateChange]:
    """Give the parameters and buffers that are new, gone or other than before, by name.

    Args:
        before: From `keep_state`.
        module: The module now.
    """
    now = {name: value.detach() for name, value in _tensors(module)}
    for name in sorted(before.keys() | now.keys()):
        if name not in now:
            yield StateChange("lost", name, _kind(before[name]))
        elif name not in before:
            yield StateChange("added", name, _kind(now[name]))
        elif _kind(before[name]) != _kind(now[name]):
            yield StateChange("changed", name, f"{_kind(before[name])} became {_kind(now[name])}")
        elif now[name].numel() and (gap := float(_difference(before[name], now[name]).max())):
            yield StateChange("changed", name, f"by up to {gap:.3g}")


def _kind(value: torch.Tensor) -> str:
    return f"{str(value.dtype).removeprefix('torch.')}[{', '.join(map(str, value.shape))}]"


def _difference(one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Return absolute differences; what is the same infinity or no number on both sides does not differ."""
    left, right = _numbers(one), _numbers(other)
    same = (left == right) | (left.isnan() & right.isnan())
    return torch.where(same, 0.0, (left - right).abs()).nan_to_num(float("inf"), posinf=float("inf"))


def _tensors(module: nn.Module) -> Iterator[tuple[str, torch.Tensor]]:
    yield from module.named_parameters()
    yield from module.named_buffers()


def _numbers(value: torch.Tensor) -> torch.Tensor:
    value = value.detach()
    value = value.dequantize() if value.is_quantized else value
    return value if value.is_complex() else value.double()


def _form(value: object) -> str:
    return f"a {type(value).__name__}" + (f" of {len(value)}" if isinstance(value, tuple | list | dict) else "")


def _problem(text: str, tolerance: float) -> Comparison:
    return Comparison(float("nan"), float("nan"), tolerance, False, text)
