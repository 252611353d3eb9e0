"""Real tensors during a trace: where they were made, and where their values decided something."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from fxanchor.model.positions import Site
from fxanchor.model.provenance import FrameWalker, Sites

_CONVERSIONS = frozenset({"__bool__", "__int__", "__float__", "__index__", "item", "tolist", "__complex__"})
_RANDOM = frozenset(
    {"rand", "randn", "randint", "randperm", "rand_like", "randn_like", "randint_like", "bernoulli", "normal"}
    | {"multinomial", "poisson", "uniform_", "normal_", "bernoulli_", "random_", "exponential_"}
)


@dataclass(frozen=True, slots=True)
class Made:
    """A real tensor that was made during a trace: by which function and where."""

    function: str
    sites: Sites

    @property
    def random(self) -> bool:
        """Whether its values come from a generator of random numbers."""
        return self.function in _RANDOM


@dataclass(frozen=True, slots=True)
class Converted:
    """A real tensor whose value was asked for: by which conversion, at which site, and whether it is a weight."""

    conversion: str
    site: Site
    tensor: torch.Tensor


@dataclass(frozen=True, slots=True)
class Written:
    """A real tensor that was written into during a trace: by which function and where."""

    function: str
    sites: Sites
    tensor: torch.Tensor


class TensorWatcher(TorchFunctionMode):
    """Sees the calls of torch functions on real tensors.

    Args:
        walker: Collects the sites of a call.
    """

    def __init__(self, walker: FrameWalker) -> None:
        super().__init__()
        self.made: dict[int, Made] = {}
        self.converted: list[Converted] = []
        self.written: list[Written] = []
        self._walker = walker
        # Kept so that their ids stay theirs.
        self._kept: list[torch.Tensor] = []

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: tuple[type, ...],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> object:
        """Call the function and look at what went in and what came out."""
        name = getattr(func, "__name__", "")
        if name in _CONVERSIONS and args and isinstance(args[0], torch.Tensor):
            sites = self._walker.walk(sys._getframe(1))
            caller = sys._getframe(1)
            # Only what the user or a library asks itself; torch's own code knows what it does.
            if sites and sites[0].code is caller.f_code:
                self.converted.append(Converted(name, sites[0], args[0]))
        result = func(*args, **(kwargs or {}))
        if args and isinstance(args[0], torch.Tensor) and _writes(name) and id(args[0]) not in self.made:
            self.written.append(Written(name, self._walker.walk(sys._getframe(1)), args[0]))
        if isinstance(result, torch.Tensor):
            self._keep(result, name, args)
        return result

    def _keep(self, result: torch.Tensor, name: str, args: tuple[Any, ...]) -> None:
        read = [arg for arg in args if isinstance(arg, torch.Tensor)]
        source = self.made.get(id(read[0])) if read else None
        if source is not None and (source.random or name not in _RANDOM):
            # What is computed from a made tensor keeps where that one was made.
            self.made.setdefault(id(result), source)
        elif id(result) not in self.made and (not read or name in _RANDOM):
            # What is computed from a buffer or a parameter is the model's, not made here.
            self.made[id(result)] = Made(name, self._walker.walk(sys._getframe(2)))
        self._kept.append(result)


def _writes(name: str) -> bool:
    """Whether a function of this name writes into its first argument."""
    return name in ("__setitem__", "__iadd__", "__imul__", "__isub__", "__itruediv__") or (
        name.endswith("_") and not name.endswith("__")
    )
