"""Build a model without holding its weights when it is large."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

_SEED = 0
_BUDGET_BYTES = 2**29
# How many times the budget may be made on the way to a model that fits well into it.
_WHILE_BUILDING = 4
_LARGE_ELEMENTS = 2**20
_MAKES = frozenset(
    {
        "empty",
        "empty_strided",
        "zeros",
        "ones",
        "full",
        "rand",
        "randn",
        "randint",
        "eye",
        "arange",
        "linspace",
        "tensor",
    }
)
_FILLS = frozenset(
    {"normal_", "uniform_", "zero_", "fill_", "random_", "bernoulli_", "exponential_", "trunc_normal_", "erfinv_"}
    | {"mul_", "add_", "clamp_", "copy_"}
    # The functions of torch.nn.init come here whole, and what they call does not.
    | {name for name in vars(torch.nn.init) if name.endswith("_") and not name.startswith("_")}
)


class _TooLarge(BaseException):
    pass


@dataclass(frozen=True, slots=True)
class Allocated:
    """A value that was built.

    Attributes:
        value: The value.
        note: What is special about its weights, "" when nothing is.
    """

    value: object
    note: str


def build_within_budget(make: Callable[[], object]) -> Allocated:
    """Call `make`; when that would hold large weights, call it again so that they are not held.

    The second call is made on the meta device, where a tensor has a shape and no memory. What cannot be built there
    is built with large weights left unset: their memory is asked for but never touched. A model that turns out to be
    small, because its code drops a part of what it makes, is built once more with its weights.

    Args:
        make: Builds a model; called up to three times, each time with the same random seed.

    Raises:
        BaseException: Whatever the last call raises.
    """
    torch.manual_seed(_SEED)
    try:
        with _Budget(_BUDGET_BYTES):
            return Allocated(make(), "")
    except _TooLarge:
        pass
    torch.manual_seed(_SEED)
    try:
        with torch.device("meta"):
            value = make()
    except Exception as error:
        reason = f"{type(error).__name__}"
    else:
        if _is_small(value):
            torch.manual_seed(_SEED)
            with contextlib.suppress(_TooLarge), _Budget(_WHILE_BUILDING * _BUDGET_BYTES):
                return Allocated(make(), "")
        return Allocated(value, "was built on the meta device: its weights have shapes and no values")
    torch.manual_seed(_SEED)
    with _Unfilled():
        value = make()
    return Allocated(value, f"cannot be built on the meta device ({reason}): built with its large weights left unset")


class _Budget(TorchFunctionMode):
    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self._bytes = 0

    def __torch_function__(
        self,
        func: Callable[..., object],
        types: object,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> object:
        value = func(*args, **(kwargs or {}))
        if getattr(func, "__name__", "") in _MAKES and isinstance(value, torch.Tensor) and value.device.type != "meta":
            self._bytes += value.numel() * value.element_size()
            if self._bytes > self._most:
                raise _TooLarge
        return value


class _Unfilled(TorchFunctionMode):
    def __torch_function__(
        self,
        func: Callable[..., object],
        types: object,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> object:
        # Functions of torch.nn.init hand their tensor on by name.
        filled = args[0] if args else (kwargs or {}).get("tensor")
        if getattr(func, "__name__", "") in _FILLS and _is_large(filled):
            return filled
        return func(*args, **(kwargs or {}))


def _is_small(value: object) -> bool:
    """Whether what was built holds less than half of the budget."""
    if not isinstance(value, torch.nn.Module):
        return False
    held = (*torch.nn.Module.parameters(value), *torch.nn.Module.buffers(value))
    return sum(tensor.numel() * tensor.element_size() for tensor in held) < _BUDGET_BYTES // 2


def _is_large(value: object) -> bool:
    return isinstance(value, torch.Tensor) and value.numel() >= _LARGE_ELEMENTS
