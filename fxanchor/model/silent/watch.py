"""One more trace, watched: line by line, at the functions of torch that lose something, and at every real tensor."""

import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import CodeType, FrameType, MethodType
from typing import Any

import torch
from torch import nn
from torch.fx.proxy import TraceError

from fxanchor.model.blockers.attempt import Attempt
from fxanchor.model.blockers.trial import Trials
from fxanchor.model.places import Owner
from fxanchor.model.positions import Site
from fxanchor.model.provenance import FrameWalker, Sites
from fxanchor.model.raised import text_of
from fxanchor.model.replacing import replaced
from fxanchor.model.silent.lines import LineWatcher
from fxanchor.model.silent.tensors import TensorWatcher
from fxanchor.model.symbolic import SymbolicRun, run_symbolic


@dataclass(slots=True)
class Watched:
    """What a watched trace showed.

    Attributes:
        run: The trace.
        lines: Decisions taken line by line.
        tensors: Real tensors made and asked.
        lost: What was lost and where: `context-lost` or `checkpoint-lost`, with the sites.
        assigned: Where attributes of modules were assigned, by the module's id and the name.
        swallowed: Where errors of the trace were raised that something caught.
    """

    run: SymbolicRun
    lines: LineWatcher
    tensors: TensorWatcher
    lost: list[tuple[str, Sites]] = field(default_factory=list)
    assigned: dict[tuple[int, str], Sites] = field(default_factory=dict)
    swallowed: list[tuple[Site, BaseException]] = field(default_factory=list)


def watch(trials: Trials, attempt: Attempt) -> Watched | None:
    """Trace once more and watch; None when it cannot be traced this way, or something else watches already.

    Args:
        trials: Traces the model.
        attempt: How to trace it.
    """
    if sys.gettrace() is not None:
        return None
    places = trials.locator.places
    walker = FrameWalker(places, (run_symbolic.__code__,))
    watched = Watched(SymbolicRun(), LineWatcher(trials.locator), TensorWatcher(walker))
    losing = _losing()
    plain_setattr: Callable[[nn.Module, str, Any], None] = nn.Module.__setattr__

    def noting_setattr(self: nn.Module, name: str, value: object) -> None:
        sites = walker.walk(sys._getframe(1))
        if sites and sites[0].code is sys._getframe(1).f_code:
            watched.assigned.setdefault((id(self), name), sites)
        plain_setattr(self, name, value)

    def on_call(frame: FrameType, event: str, _argument: object) -> Callable[..., Any] | None:
        code = frame.f_code
        kind = losing.get(code)
        if kind is not None:
            sites = walker.walk(frame)
            if sites and frame.f_back is not None and sites[0].code is frame.f_back.f_code:
                watched.lost.append((kind, sites))
            return None
        if places.owner_of(code) is Owner.MACHINERY:
            return None
        return on_line

    def on_line(frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
        if event == "line":
            watched.lines.reached(frame)
        elif event == "exception" and isinstance(argument, tuple) and _is_of_trace(argument[1]):
            watched.swallowed.append((Site(frame.f_code, frame.f_lasti), argument[1]))
        return on_line

    with ExitStack() as stack:
        stack.enter_context(replaced(nn.Module, "__setattr__", noting_setattr))
        stack.enter_context(watched.tensors)
        sys.settrace(on_call)
        stack.callback(sys.settrace, None)
        run = trials.trace(attempt)
    if run is None:
        return None
    watched.run = run
    return watched


def _losing() -> dict[CodeType, str]:
    """The functions of torch whose effect a graph does not keep."""
    functions: list[tuple[object, str]] = [
        (torch.no_grad.__enter__, "context-lost"),
        (torch.enable_grad.__enter__, "context-lost"),
        (torch.inference_mode.__enter__, "context-lost"),
        (torch.autocast.__enter__, "context-lost"),
    ]
    # A model that checkpoints has imported this; importing it here would cost every other one a second.
    checkpoint = sys.modules.get("torch.utils.checkpoint")
    if checkpoint is not None:
        functions.append((checkpoint.checkpoint, "checkpoint-lost"))
    found: dict[CodeType, str] = {}
    for function, kind in functions:
        plain = function.__func__ if isinstance(function, MethodType) else function
        for candidate in (plain, getattr(plain, "__wrapped__", None)):
            code = getattr(candidate, "__code__", None)
            if isinstance(code, CodeType):
                found[code] = kind
    return found


def _is_of_trace(error: object) -> bool:
    """Whether an error comes from a Proxy that was asked for what it cannot give."""
    if isinstance(error, TraceError):
        return True
    text = text_of(error) if isinstance(error, RuntimeError | TypeError) else ""
    return "Proxy" in text or "symbolic tracing" in text
