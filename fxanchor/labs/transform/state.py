"""What a module holds beside its graph: parameters, buffers and modules, compared before and after a pass."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, Self

import torch
from torch import nn

from fxanchor.labs.transform.numbers import difference
from fxanchor.labs.transform.report import StateChange
from fxanchor.model.raised import repr_of

Tensors = Mapping[str, torch.Tensor]


@dataclass(frozen=True, slots=True)
class State:
    """What a module holds at one time.

    Attributes:
        parameters: Copies of the parameters by name.
        buffers: Copies of the buffers by name.
        modules: For modules without modules of their own, class and settings by path.
    """

    parameters: Tensors
    buffers: Tensors
    modules: Mapping[str, str]

    @classmethod
    def of(cls, module: nn.Module) -> Self:
        """Return what a module holds now."""
        return cls(
            {name: value.detach().clone() for name, value in module.named_parameters()},
            {name: value.detach().clone() for name, value in module.named_buffers()},
            {path: repr_of(each) for path, each in module.named_modules() if path and not any(each.children())},
        )


def state_changes(before: State, after: State) -> Iterator[StateChange]:
    """Give the modules, parameters and buffers that are new, gone or other than before, by name.

    Args:
        before: What the module held.
        after: What it holds now.
    """
    for path in sorted(before.modules.keys() | after.modules.keys()):
        was, now = before.modules.get(path), after.modules.get(path)
        if was is None or now is None:
            yield StateChange("module", "lost" if now is None else "added", path, str(was or now))
        elif was != now:
            yield StateChange("module", "changed", path, f"{was} became {now}")
    yield from _tensor_changes("parameter", before.parameters, after.parameters)
    yield from _tensor_changes("buffer", before.buffers, after.buffers)


def _tensor_changes(what: Literal["parameter", "buffer"], before: Tensors, after: Tensors) -> Iterator[StateChange]:
    for name in sorted(before.keys() | after.keys()):
        if name not in after:
            yield StateChange(what, "lost", name, _kind(before[name]))
        elif name not in before:
            yield StateChange(what, "added", name, _kind(after[name]))
        elif _kind(before[name]) != _kind(after[name]):
            yield StateChange(what, "changed", name, f"{_kind(before[name])} became {_kind(after[name])}")
        elif after[name].numel() and (gap := float(difference(before[name], after[name]).max())):
            yield StateChange(what, "changed", name, f"by up to {gap:.3g}")


def _kind(value: torch.Tensor) -> str:
    return f"{str(value.dtype).removeprefix('torch.')}[{', '.join(map(str, value.shape))}]"
