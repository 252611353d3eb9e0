"""Let code that asks for CUDA run on a machine that has none."""

from collections.abc import Callable
from typing import Any

import torch
from torch.overrides import TorchFunctionMode


class OnWhatIsHere(TorchFunctionMode):
    """While active, tensors that are to be made on or moved to CUDA stay where they would be without it.

    Does nothing where CUDA is available.

    Attributes:
        used: Whether anything was kept from CUDA.
    """

    def __init__(self) -> None:
        super().__init__()
        self.used = False
        self._absent = not torch.cuda.is_available()

    def __torch_function__(
        self,
        func: Callable[..., object],
        types: object,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> object:
        """Call a function of torch without the CUDA device in its arguments."""
        kwargs = kwargs or {}
        if not self._absent:
            return func(*args, **kwargs)
        name = getattr(func, "__name__", "")
        if name == "cuda" and args and isinstance(args[0], torch.Tensor):
            self.used = True
            return args[0]
        if _is_cuda(kwargs.get("device")):
            self.used = True
            kwargs = {key: value for key, value in kwargs.items() if key != "device"}
        if name == "to" and any(_is_cuda(each) for each in args[1:]):
            self.used = True
            args = (args[0], *(each for each in args[1:] if isinstance(each, torch.dtype)))
        if name == "to" and len(args) == 1 and not kwargs.keys() - {"non_blocking", "copy"}:
            return args[0]
        return func(*args, **kwargs)


def _is_cuda(value: object) -> bool:
    if isinstance(value, torch.device):
        return value.type == "cuda"
    return isinstance(value, str) and value.partition(":")[0] == "cuda"
