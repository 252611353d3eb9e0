"""Tell `nn.Module` objects and classes from others, also when a class lies about itself."""

from typing import TypeGuard

import torch

_MRO = type.__dict__["__mro__"]


def is_module(value: object) -> TypeGuard[torch.nn.Module]:
    """Return whether an object really is an `nn.Module`, whatever its `__class__` says.

    Args:
        value: Any object.
    """
    return torch.nn.Module in _MRO.__get__(type(value))


def is_module_class(value: object) -> TypeGuard[type[torch.nn.Module]]:
    """Return whether an object really is a class derived from `nn.Module`, whatever its metaclass says.

    Args:
        value: Any object.
    """
    return is_class(value) and torch.nn.Module in _MRO.__get__(value)


def is_class(value: object) -> TypeGuard[type]:
    """Return whether an object really is a class.

    Args:
        value: Any object.
    """
    return type in _MRO.__get__(type(value))
