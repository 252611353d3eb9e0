"""Tracing a model with an attempt at getting past its blockers."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import CodeType

from torch import fx, nn
from torch.fx import _symbolic_trace as symbolic_module

from fxanchor.model.blockers.attempt import Attempt, Registration, Wrap
from fxanchor.model.blockers.patching import LiveFunctions, UnpatchableError, patched
from fxanchor.model.guard import kept
from fxanchor.model.places import Places
from fxanchor.model.positions import Locator
from fxanchor.model.symbolic import RecordingTracer, SymbolicRun, run_symbolic


class AttemptTracer(RecordingTracer):
    """A recording tracer that keeps more modules whole, and can make Proxies of buffers."""

    def __init__(self, places: Places, forward: CodeType | None, attempt: Attempt) -> None:
        super().__init__(places, forward)
        self._leaf_classes = attempt.leaf_classes
        self.proxy_buffer_attributes = attempt.proxy_buffers

    def decide_leaf(self, m: nn.Module, path: str) -> bool:
        """Whether a module is kept whole."""
        return isinstance(m, self._leaf_classes) or super().decide_leaf(m, path)


class Trials:
    """Traces one model in different ways.

    Args:
        root: The model.
        locator: Finds positions, and knows whose files are whose.
        evaluate: Tells the true value of a Proxy of the trace that is going on, or None.
    """

    def __init__(
        self, root: nn.Module, locator: Locator, evaluate: Callable[[fx.Proxy], object] = lambda _proxy: None
    ) -> None:
        self.evaluate = evaluate
        self.root = root
        self.locator = locator
        self.count = 0
        self._tracer: fx.Tracer | None = None
        self._live = LiveFunctions()

    def current_tracer(self) -> fx.Tracer | None:
        """The tracer of the trace that is going on."""
        return self._tracer

    def trace(self, attempt: Attempt) -> SymbolicRun | None:
        """Trace the model in this way; None when the attempt cannot be made."""
        self.count += 1
        root = self.root

        def make(places: Places, forward: CodeType | None) -> RecordingTracer:
            self._tracer = tracer = AttemptTracer(places, forward, attempt)
            return tracer

        with ExitStack() as stack:
            stack.enter_context(kept(self.root))
            try:
                stack.enter_context(patched(attempt.edits, self.locator.sources, self._live))
                for registration in attempt.registrations:
                    _register(registration)
                if attempt.substitute is not None:
                    root = attempt.substitute.make(self.root)
            except (UnpatchableError, AttributeError, TypeError, KeyError, RuntimeError):
                return None
            stack.enter_context(_wrapped(attempt.wraps))
            return run_symbolic(root, self.locator.places, concrete_args=attempt.concrete or None, make_tracer=make)


def _register(registration: Registration) -> None:
    owner = registration.owner
    # A plain attribute of that name would hide the submodule.
    object.__getattribute__(owner, "__dict__").pop(registration.name, None)
    owner.add_module(registration.name, registration.module)


@contextmanager
def _wrapped(wraps: tuple[Wrap, ...]) -> Iterator[None]:
    """What torch.fx.wrap does, until the block ends."""
    table = symbolic_module._wrapped_fns_to_patch
    added = [key for wrap in wraps if (key := (id(wrap.scope), wrap.name)) not in table]
    table.update({(id(wrap.scope), wrap.name): wrap.scope for wrap in wraps})
    try:
        yield
    finally:
        for key in added:
            table.pop(key, None)
