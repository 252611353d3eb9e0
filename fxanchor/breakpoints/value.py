"""A value as short text that is the same in every run: no addresses, no absolute paths, bounded length."""

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType

from fxanchor.breakpoints.recording import Recording, Value

MAX_LENGTH = 160
_MAX_ITEMS = 12
_MAX_DEPTH = 4
_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
_SPACE = re.compile(r"\s+")


class Describer:
    """Describes values.

    Args:
        recording: Objects that record are described without being used.
        roots: Directories whose paths are shortened to relative ones.
    """

    def __init__(self, recording: Recording, roots: Sequence[Path]) -> None:
        self._recording = recording
        self._roots = sorted({f"{root}/" for root in roots if len(str(root)) > 1}, key=len, reverse=True)

    def describe(self, value: object) -> str:
        """Return `value` as one short line."""
        return _cut(self._describe(value, 0))

    def _describe(self, value: Value, depth: int) -> str:
        if self._recording.records(value):
            return self._recorder(value)
        if (tensor := _tensor(value)) is not None:
            return tensor
        if isinstance(value, str):
            return _cut(repr(self._relative(_ADDRESS.sub("", value))))
        if isinstance(value, dict | list | tuple | set | frozenset):
            return self._container(value, depth)
        if isinstance(value, ModuleType):
            return f"<module {value.__name__!r}>"
        if isinstance(value, FunctionType | MethodType | BuiltinFunctionType):
            return f"<function {getattr(value, '__qualname__', value.__name__)}>"
        return self._plain(value)

    def _plain(self, value: object) -> str:
        kind = type(value)
        if kind.__repr__ is object.__repr__:
            return f"<{kind.__qualname__}>"
        try:
            with self._recording.switched_off():
                text = repr(value)
        except (Exception, SystemExit) as error:  # the object is the user's, and so is whatever its repr raises
            return f"<{kind.__qualname__}, its repr raises {type(error).__name__}>"
        return _cut(self._relative(_SPACE.sub(" ", _ADDRESS.sub("", text))))

    def _recorder(self, value: Value) -> str:
        held = vars(value)
        name = type(value).__name__
        if (through := self._recording.look_through) in held:
            return f"{name}({held[through]})"
        # What is not recorded yet is told by the plain values that it was made of.
        parts = [f"{key}={item!r}" for key, item in held.items() if isinstance(item, str)]
        return f"{name}({', '.join(parts)})"

    def _container(self, value: Value, depth: int) -> str:
        if depth == _MAX_DEPTH:
            return "..."
        if isinstance(value, dict):
            items = [f"{self._describe(k, depth + 1)}: {self._describe(v, depth + 1)}" for k, v in _head(value.items())]
            return _wrapped(value, dict, "{", _joined(items, len(value)), "}")
        if isinstance(value, list):
            return _wrapped(value, list, "[", _joined(self._items(value, depth), len(value)), "]")
        if isinstance(value, tuple):
            comma = "," if len(value) == 1 and type(value) is tuple else ""
            return _wrapped(value, tuple, "(", _joined(self._items(value, depth), len(value)) + comma, ")")
        if not value:
            return f"{type(value).__name__}()"
        items = sorted(self._describe(item, depth + 1) for item in value)[:_MAX_ITEMS]
        return _wrapped(value, set, "{", _joined(items, len(value)), "}")

    def _items(self, value: Iterable[object], depth: int) -> list[str]:
        return [self._describe(item, depth + 1) for item in _head(value)]

    def _relative(self, text: str) -> str:
        for root in self._roots:
            text = text.replace(root, "")
        return text


def _tensor(value: Value) -> str | None:
    """Describe a tensor or array, such as `float32[1, 64, 56, 56]`."""
    for library, name in (("torch", "Tensor"), ("numpy", "ndarray")):
        module = sys.modules.get(library)
        kind = getattr(module, name, None) if module is not None else None
        if isinstance(kind, type) and issubclass(type(value), kind):
            shape = ", ".join(str(size) for size in value.shape)
            prefix = "" if type(value) is kind else f"{type(value).__name__} "
            return f"{prefix}{str(value.dtype).removeprefix('torch.')}[{shape}]"
    return None


def _head(values: Iterable[Value]) -> list[Value]:
    head: list[Value] = []
    for value in values:
        if len(head) == _MAX_ITEMS:
            break
        head.append(value)
    return head


def _joined(items: Sequence[str], size: int) -> str:
    more = [f"... {size - len(items)} more"] if size > len(items) else []
    return ", ".join([*items, *more])


def _wrapped(value: object, plain: Callable[..., object], left: str, inner: str, right: str) -> str:
    if type(value) is plain:
        return f"{left}{inner}{right}"
    return f"{type(value).__name__}({left}{inner}{right})"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_LENGTH else f"{text[: MAX_LENGTH - 3]}..."
