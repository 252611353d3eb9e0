"""The first rung: torch.fx.symbolic_trace, with the frames behind every node kept."""

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

from torch import fx, nn
from torch.fx import _symbolic_trace as symbolic_module
from torch.fx import proxy as proxy_module
from torch.fx.node import Target

from fxanchor.model.guard import Changes, kept
from fxanchor.model.limits import RAISED
from fxanchor.model.places import Owner, Places
from fxanchor.model.positions import Site
from fxanchor.model.provenance import FrameWalker, Sites
from fxanchor.model.replacing import replaced

_ATTRIBUTE_NODE = vars(proxy_module.Attribute)["node"].fget.__code__


@dataclass(frozen=True, slots=True)
class Record:
    """One node with what was on the stack when it was made.

    Attributes:
        node: The node.
        sites: The frames outside torch, the innermost first.
        caller: The code that asked the tracer for the node.
        module_path: Path of the module whose forward was running.
    """

    node: fx.Node
    sites: Sites
    caller: CodeType | None
    module_path: str


@dataclass(frozen=True, slots=True)
class ModuleCall:
    """One call of a module during a trace.

    Attributes:
        path: Its path.
        module: The module.
        leaf: Whether it was kept whole.
        sites: Where it was called.
    """

    path: str
    module: nn.Module
    leaf: bool
    sites: Sites


@dataclass(slots=True)
class SymbolicRun:
    """What became of one symbolic trace.

    Attributes:
        graph_module: What was captured, or None when it stopped.
        error: What stopped it.
        records: The nodes made, in order; those before the stop when it stopped.
        calls: The module calls, in order.
        returned: The return statement's instruction in the root's forward, when it is known.
        changes: What the trace assigned to the model (put back by now).
        forward: The code of the root's forward.
    """

    graph_module: fx.GraphModule | None = None
    error: BaseException | None = None
    records: list[Record] = field(default_factory=list)
    calls: list[ModuleCall] = field(default_factory=list)
    returned: Site | None = None
    changes: Changes = field(default_factory=Changes)
    forward: CodeType | None = None


class RecordingTracer(fx.Tracer):
    """A tracer that makes the graph of torch.fx.Tracer and keeps the frames behind every node."""

    def __init__(self, places: Places, forward: CodeType | None) -> None:
        super().__init__()
        self.records: list[Record] = []
        self.calls: list[ModuleCall] = []
        self.root_frame: FrameType | None = None
        self._forward = forward
        self._places = places
        # Walks end at the frame of the enclosing module call, whose own sites are in _outer: no frame is walked twice.
        self._outer: Sites = ()
        self._running = ""
        self._walker = FrameWalker(places, (RecordingTracer.call_module.__code__, run_symbolic.__code__))

    def create_node(
        self,
        kind: str,
        target: Target,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        name: str | None = None,
        type_expr: object = None,
    ) -> fx.Node:
        """Make the node and keep what is on the stack."""
        node = super().create_node(kind, target, args, kwargs, name, type_expr)
        frame = sys._getframe(1)
        sites = self._walker.walk(frame) + self._outer
        asker = frame.f_back if frame.f_code is _CREATE_PROXY else frame
        caller = None if asker is None else asker.f_code
        if caller is _ATTRIBUTE_NODE and asker is not None:
            sites = _moved_to_read(sites, asker.f_locals["self"], self._places)
        if self.root_frame is None and sites:
            self.root_frame = self._find_root_frame(frame)
        self.records.append(Record(node, sites, caller, self._running))
        return node

    def call_module(
        self, m: nn.Module, forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> object:
        """Call the module as torch.fx.Tracer does, knowing where the call is."""
        outer, running = self._outer, self._running
        frame = sys._getframe(1)
        if self.root_frame is None:
            self.root_frame = self._find_root_frame(frame)
        self._outer = self._walker.walk(frame) + outer
        try:
            return super().call_module(m, forward, args, kwargs)
        finally:
            self._outer, self._running = outer, running

    def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
        """Decide as torch.fx.Tracer does, and keep the decision."""
        leaf = self.decide_leaf(m, module_qualified_name)
        self.calls.append(ModuleCall(module_qualified_name, m, leaf, self._outer))
        if not leaf:
            self._running = module_qualified_name
        return leaf

    def decide_leaf(self, m: nn.Module, path: str) -> bool:
        """Whether a module is kept whole."""
        return super().is_leaf_module(m, path)

    def _find_root_frame(self, frame: FrameType | None) -> FrameType | None:
        while frame is not None and frame.f_code is not self._forward:
            frame = frame.f_back
        return frame


_CREATE_PROXY = fx.Tracer.create_proxy.__code__


def run_symbolic(
    module: nn.Module,
    places: Places,
    *,
    concrete_args: Mapping[str, Any] | None = None,
    make_tracer: Callable[[Places, CodeType | None], RecordingTracer] = RecordingTracer,
    observer: AbstractContextManager[Any] | None = None,
) -> SymbolicRun:
    """Trace a module by torch.fx.symbolic_trace itself, and leave the module as it was.

    Args:
        module: The module.
        places: Whose files are whose.
        concrete_args: Arguments of forward to take as constants.
        make_tracer: Makes the tracer that stands in for torch.fx.Tracer.
        observer: Entered around the call of symbolic_trace alone.

    Returns:
        What became of it; an error is part of the answer and is not raised.
    """
    run = SymbolicRun(forward=forward_code(module))
    tracer = make_tracer(places, run.forward)
    with ExitStack() as stack:
        run.changes = stack.enter_context(kept(module))
        stack.enter_context(replaced(symbolic_module, "Tracer", lambda: tracer))
        stack.enter_context(replaced(proxy_module.Attribute, "__init__", _noting_init))
        stack.enter_context(_wrap_table_kept())
        try:
            with observer or nullcontext():
                run.graph_module = fx.symbolic_trace(module, None if concrete_args is None else dict(concrete_args))
        except RAISED as error:
            run.error = error
    run.records, run.calls = tracer.records, tracer.calls
    if run.error is None and tracer.root_frame is not None and run.forward is not None:
        # A frame that has ended still tells its last instruction: the return that was taken.
        run.returned = Site(run.forward, tracer.root_frame.f_lasti)
    tracer.root_frame = None
    return run


@contextmanager
def _wrap_table_kept() -> Iterator[None]:
    """Forget what generated code wraps: it calls torch.fx.wrap, and the names stay with no function behind them."""
    table = symbolic_module._wrapped_fns_to_patch
    before = dict(table)
    try:
        yield
    finally:
        table.clear()
        table.update(before)


def forward_code(module: nn.Module) -> CodeType | None:
    """The code of a module's forward, under its decorators."""
    forward = inspect.unwrap(getattr(type(module), "forward", None) or (lambda: None))
    code = getattr(forward, "__code__", None)
    return code if isinstance(code, CodeType) else None


_plain_init = proxy_module.Attribute.__init__


def _noting_init(self: proxy_module.Attribute, root: fx.Proxy, attr: str) -> None:
    """Make an Attribute and keep where it was read: its node is made later, where the value is first used."""
    _plain_init(self, root, attr)
    reader = sys._getframe(2)
    self.__dict__["_read_at"] = Site(reader.f_code, reader.f_lasti)


def _moved_to_read(sites: Sites, attribute: proxy_module.Attribute, places: Places) -> Sites:
    """The sites with the innermost frame moved to where the attribute was read, when that was in the same frame."""
    read = attribute.__dict__.get("_read_at")
    if not isinstance(read, Site):
        return sites
    for index, site in enumerate(sites):
        if site.code is read.code:
            return (read, *sites[index + 1 :])
    if not sites and places.owner_of(read.code) is not Owner.MACHINERY:
        # Nothing of the user's runs any more: the value was returned, and is recorded with the result of the model.
        return (read,)
    return sites
