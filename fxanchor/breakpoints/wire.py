"""Data classes as plain JSON values and back, for what passes between the parent and its child process."""

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import TypeVar

from fxanchor.breakpoints.recording import Value

Kind = TypeVar("Kind")


def to_plain(value: Value) -> Value:
    """Return data classes as dictionaries and tuples as lists, all the way down."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: to_plain(item) for key, item in value.items()}
    return value


def from_plain(kind: type[Kind], value: Value) -> Kind:
    """Return the value of a type that `to_plain` was called on.

    Args:
        kind: A data class, a `tuple[...]`, a union, or a plain type; what it is made of too.
        value: Plain JSON values.

    Raises:
        TypeError: When the value does not have the form of the type.
    """
    return typing.cast("Kind", _read(kind, value))


def _read(kind: Value, value: Value) -> Value:
    origin: Value = typing.get_origin(kind)
    arguments = typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        if value is None and type(None) in arguments:
            return None
        return _read_any([each for each in arguments if each is not type(None)], value)
    if origin is typing.Literal:
        return value
    if origin is tuple:
        if not isinstance(value, list):
            raise TypeError(f"{value!r} is no list")
        if arguments[1:] == (...,):
            return tuple(_read(arguments[0], item) for item in value)
        return tuple(_read(each, item) for each, item in zip(arguments, value, strict=True))
    if dataclasses.is_dataclass(kind):
        if not isinstance(value, Mapping):
            raise TypeError(f"{value!r} is no object")
        hints = typing.get_type_hints(kind)
        known = {field.name for field in dataclasses.fields(kind)}
        return kind(**{name: _read(hints[name], item) for name, item in value.items() if name in known})  # type: ignore[operator]
    if isinstance(kind, type) and not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value


def _read_any(kinds: list[Value], value: Value) -> Value:
    for kind in kinds:
        try:
            return _read(kind, value)
        except TypeError:
            continue
    raise TypeError(f"{value!r} is none of {kinds}")
