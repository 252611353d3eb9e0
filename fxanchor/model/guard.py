"""Keeping the user's model as it was: what a trace assigns to its modules is found out and taken back."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn
from torch.nn.parameter import is_lazy

_LARGEST_COPY = 4_000_000
# Attributes that the tracer itself adds to the root to keep constants in.
_TRACERS_OWN = ("_tensor_constant", "_torchbind_obj", "_tree_spec_constant", "_opaque_obj")


@dataclass(slots=True)
class Changes:
    """What a trace assigned to the model.

    Attributes:
        attributes: Module path ("" for the root) and attribute name, in the order of the modules.
    """

    attributes: list[tuple[str, str]] = field(default_factory=list)


@contextmanager
def kept(root: nn.Module) -> Iterator[Changes]:
    """Put every attribute of every module back at the end of the block.

    Containers held by a module (lists, dictionaries, sets) get their items back too. Tensors that were written
    into stay written into: copying every weight would double the memory of the model.
    """
    changes = Changes()
    before = [(path, module, _Snapshot(module)) for path, module in root.named_modules()]
    try:
        yield changes
    finally:
        for path, module, snapshot in before:
            changes.attributes.extend((path, name) for name in snapshot.restore(module))


_Container = list[Any] | dict[Any, Any] | set[Any]
_CONTAINERS = (list, dict, set)


class BufferKeeper:
    """Keeps copies of the small buffers of a model: a trace runs for real what has no Proxy among its operands.

    Args:
        root: The model.
    """

    def __init__(self, root: nn.Module) -> None:
        self._kept: list[tuple[torch.Tensor, int, torch.Tensor]] = []
        total = 0
        for buffer in root.buffers():
            plain = type(buffer) is torch.Tensor and buffer.layout is torch.strided
            if not plain or buffer.is_meta or is_lazy(buffer) or total + buffer.numel() > _LARGEST_COPY:
                continue
            total += buffer.numel()
            self._kept.append((buffer, buffer._version, buffer.detach().clone()))

    def restore(self) -> None:
        """Give the buffers that were written into their values back."""
        with torch.no_grad():
            for index, (buffer, version, copy) in enumerate(self._kept):
                if buffer._version != version and buffer.shape == copy.shape:
                    buffer.copy_(copy)
                    self._kept[index] = (buffer, buffer._version, copy)


class _Snapshot:
    """The attributes of one module, with the items of the containers among them."""

    def __init__(self, module: nn.Module) -> None:
        held = _dictionary(module)
        self._attributes = dict(held)
        self._items = {name: _copied(value) for name, value in held.items() if type(value) in _CONTAINERS}

    def restore(self, module: nn.Module) -> list[str]:
        """Put the attributes back and return the names of those that had changed, without the tracer's own."""
        held = _dictionary(module)
        changed = [name for name, value in held.items() if self._attributes.get(name, held) is not value]
        changed += [name for name in self._attributes if name not in held]
        if changed:
            held.clear()
            held.update(self._attributes)
        for name, items in self._items.items():
            if not _same(self._attributes[name], items):
                _refill(self._attributes[name], items)
                changed.append(name)
        return [name for name in dict.fromkeys(changed) if not name.startswith(_TRACERS_OWN)]


def _dictionary(module: nn.Module) -> dict[str, Any]:
    # Not module.__dict__: a class may put anything in the way of that.
    held = object.__getattribute__(module, "__dict__")
    assert isinstance(held, dict)
    return held


def _copied(value: _Container) -> _Container:
    return value.copy()


def _same(value: _Container, items: _Container) -> bool:
    """Whether a container still holds the same objects, compared by identity: a Proxy must not be asked `==`."""
    if len(value) != len(items):
        return False
    if isinstance(value, dict) and isinstance(items, dict):
        return all(key in value and value[key] is item for key, item in items.items())
    if isinstance(value, set):
        return {id(item) for item in value} == {id(item) for item in items}
    return all(a is b for a, b in zip(value, items, strict=True))


def _refill(value: _Container, items: _Container) -> None:
    if isinstance(value, list):
        value[:] = items
    else:
        value.clear()
        value.update(items)
