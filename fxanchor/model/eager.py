"""The last rung: run the model on fake tensors and record what it calls, with the frames behind every call."""

import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any

import torch
from torch import nn
from torch.overrides import TorchFunctionMode, resolve_name
from torch.utils import _pytree as pytree
from torch.utils.weak import WeakTensorKeyDictionary

from fxanchor.model.guard import kept
from fxanchor.model.limits import RAISED
from fxanchor.model.places import Places
from fxanchor.model.positions import Locator, Site
from fxanchor.model.provenance import FrameWalker, Sites, stack_of, trigger_of
from fxanchor.model.replacing import replaced
from fxanchor.model.report import NodeRow
from fxanchor.model.rows import parameter_triggers, return_trigger
from fxanchor.model.shapes import Shape, describe
from fxanchor.model.symbolic import forward_code

_MAX_CALLS = 200_000


@dataclass(frozen=True, slots=True)
class Call:
    """One call that gave a tensor.

    Attributes:
        name: Unique name.
        target: What was called, in words.
        sites: The frames outside torch, the innermost first.
        module_path: Path of the module whose forward was running.
        shape: Shape of the result.
        dtype: Data type of the result.
        inputs: Names of the calls and inputs whose results it takes.
    """

    name: str
    target: str
    sites: Sites
    module_path: str
    shape: Shape | None
    dtype: str
    inputs: tuple[str, ...]


@dataclass(slots=True)
class EagerRun:
    """What became of running a model.

    Attributes:
        calls: The calls, in order.
        arguments: Name, shape and data type of the tensors that were given.
        outputs: Names of what the result is made of.
        returned: The return that was taken, when it is known.
        error: What stopped it.
        result: What it gave, where that was asked for.
    """

    calls: list[Call] = field(default_factory=list)
    arguments: list[tuple[str, Shape | None, str]] = field(default_factory=list)
    outputs: tuple[str, ...] = ()
    returned: Site | None = None
    error: BaseException | None = None
    result: object = None


def run_eager(
    module: nn.Module,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    places: Places,
    *,
    watch: Callable[[Call, object], None] | None = None,
    whole: Callable[[nn.Module], bool] | None = None,
    keep_result: bool = False,
) -> EagerRun:
    """Run a module and record the calls that give tensors; leave its attributes as they were.

    Args:
        module: The module.
        args: Positional inputs, real or fake.
        kwargs: Inputs by name.
        places: Whose files are whose.
        watch: Told every call with its result.
        whole: Tells the modules whose call is recorded as one, rather than the calls inside it.
        keep_result: Whether to keep what the model gives.
    """
    run = EagerRun()
    recorder = _Recorder(run, module, places, watch)
    recorder.whole = whole or (lambda _module: False)
    recorder.take(args, kwargs)
    with ExitStack() as stack:
        stack.enter_context(kept(module))
        stack.enter_context(torch.no_grad())
        stack.enter_context(replaced(nn.Module, "__call__", recorder.module_call(nn.Module.__call__)))
        stack.enter_context(recorder)
        try:
            result = module(*args, **kwargs)
            run.outputs = recorder.names_in(result)
            run.result = result if keep_result else None
        except RAISED as error:
            run.error = error
    if recorder.root_frame is not None and run.error is None:
        run.returned = Site(recorder.root_frame.f_code, recorder.root_frame.f_lasti)
    recorder.root_frame = None
    return run


class _Recorder(TorchFunctionMode):
    """Sees every call of a torch function that the model makes; calls that those make in turn are not seen."""

    def __init__(
        self, run: EagerRun, root: nn.Module, places: Places, watch: Callable[[Call, object], None] | None
    ) -> None:
        super().__init__()
        self.root_frame: FrameType | None = None
        self.whole: Callable[[nn.Module], bool] = lambda _module: False
        self._muted = 0
        self._run = run
        self._watch = watch
        self._walker = FrameWalker(places, (run_eager.__code__,))
        self._paths = {id(module): path for path, module in root.named_modules()}
        self._running = [""]
        self._forward = forward_code(root)
        # Weak: keeping every result of a model alive would need as much memory as training it.
        self._names = WeakTensorKeyDictionary()
        self._counts: dict[str, int] = {}

    def take(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Give names to the inputs."""
        code = self._forward
        order = [] if code is None else list(code.co_varnames[1 : code.co_argcount])
        order += [f"input_{index}" for index in range(len(order), len(args))]
        for name, value in [*zip(order, args, strict=False), *kwargs.items()]:
            for tensor in pytree.tree_leaves(value):
                if isinstance(tensor, torch.Tensor):
                    unique = self._unique(name)
                    self._keep(tensor, unique)
                    self._run.arguments.append((unique, *describe(tensor)))

    def module_call(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """A call of a module that keeps which one is running."""

        def calling(module: nn.Module, *args: object, **kwargs: object) -> object:
            if self._muted or self.whole(module):
                self._muted += 1
                try:
                    result = call(module, *args, **kwargs)
                finally:
                    self._muted -= 1
                if not self._muted:
                    name = type(module).__name__
                    self._record(sys._getframe(1), name.lower(), f"torch.nn.{name}", (args, kwargs), result)
                return result
            self._running.append(self._paths.get(id(module), self._running[-1]))
            try:
                return call(module, *args, **kwargs)
            finally:
                self._running.pop()

        return calling

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: tuple[type, ...],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> object:
        """Call the function, and record the call when it gives a tensor."""
        result = func(*args, **(kwargs or {}))
        if not self._muted and not _is_attribute(func):
            name = getattr(func, "__name__", "call").strip("_")
            self._record(sys._getframe(1), name, _target(func), (args, kwargs), result)
        return result

    def _record(self, frame: FrameType, name: str, target: str, inputs: object, result: object) -> None:
        """Record a call when it gives a tensor."""
        tensors = [leaf for leaf in pytree.tree_leaves(result) if isinstance(leaf, torch.Tensor)]
        if not tensors or len(self._run.calls) >= _MAX_CALLS:
            return
        if self.root_frame is None:
            self.root_frame = self._find_root_frame(frame)
        shape, dtype = describe(result)
        sites, read = self._walker.walk(frame), self.names_in(inputs)
        call = Call(self._unique(name), target, sites, self._running[-1], shape, dtype, read)
        for tensor in tensors:
            self._keep(tensor, call.name)
        self._run.calls.append(call)
        if self._watch is not None:
            self._watch(call, result)

    def names_in(self, value: object) -> tuple[str, ...]:
        """The names of the known tensors in a value, without repeats."""
        tensors = (leaf for leaf in pytree.tree_leaves(value) if isinstance(leaf, torch.Tensor))
        return tuple(dict.fromkeys(self._names[tensor] for tensor in tensors if tensor in self._names))

    def _keep(self, tensor: torch.Tensor, name: str) -> None:
        self._names[tensor] = name

    def _unique(self, name: str) -> str:
        count = self._counts.get(name, 0)
        self._counts[name] = count + 1
        return name if count == 0 else f"{name}_{count}"

    def _find_root_frame(self, frame: FrameType | None) -> FrameType | None:
        while frame is not None and frame.f_code is not self._forward:
            frame = frame.f_back
        return frame


def eager_rows(run: EagerRun, module: nn.Module, locator: Locator) -> tuple[NodeRow, ...]:
    """The rows of what a run recorded: its inputs, its calls and its result."""
    forward = forward_code(module)
    parameters = parameter_triggers(forward, locator)
    rows = [
        NodeRow(name, "placeholder", name, "argument", parameters.get(name), shape=shape, dtype=dtype)
        for name, shape, dtype in run.arguments
    ]
    for call in run.calls:
        trigger = trigger_of(call.sites, locator)
        stack = stack_of(call.sites, locator)
        op = "call_method" if call.target.startswith("torch.Tensor.") else "call_function"
        row = NodeRow(call.name, op, call.target, "recorded call", trigger, call.module_path, call.shape, call.dtype)
        rows.append(_with(row, stack, call.inputs))
    returned = return_trigger(forward, run.returned, locator)
    output = NodeRow("output", "output", "output", "return value", returned)
    return (*rows, _with(output, (returned,) if returned else (), run.outputs))


def _with(row: NodeRow, stack: tuple[Any, ...], inputs: tuple[str, ...]) -> NodeRow:
    return replace(row, stack=stack, inputs=inputs)


def _is_attribute(func: Callable[..., Any]) -> bool:
    """Whether a call only reads an attribute that is kept with the tensor, such as `grad` or `data`."""
    return getattr(func, "__name__", "") == "__get__" and _target(func) in ("torch.Tensor.grad", "torch.Tensor.data")


def _target(func: Callable[..., Any]) -> str:
    try:
        name = resolve_name(func)
    except Exception:
        name = None
    text = str(name) if name else getattr(func, "__qualname__", type(func).__name__)
    return text.removesuffix(".__get__")
