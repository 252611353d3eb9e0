"""A debugger of the pdb family that opens only where it was asked to, and leaves nothing behind."""

import bdb
import contextlib
import importlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Literal

from fxanchor.breakpoints.gate import Admission, Gate, PlannedStop
from fxanchor.breakpoints.recording import Value
from fxanchor.breakpoints.watch import Watcher
from fxanchor.errors import UsageError
from fxanchor.model.raised import summary

Debugger = Literal["pdb", "ipdb", "pudb", "debugpy"]

# Where the debugger class of each name is found, and what to install when it is not there.
_CLASSES = {
    "pdb": (("pdb", "Pdb"), "Python"),
    "ipdb": (("IPython.terminal.debugger", "TerminalPdb"), "ipython"),
    "pudb": (("pudb.debugger", "Debugger"), "pudb"),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a debugging session went.

    Attributes:
        stopped: How often the debugger opened.
        quitted: Whether the person left before the end of the run.
        error: What ended the run, on one line; "" when it went through or the person left.
        notes: What else to know, one sentence each.
    """

    stopped: int
    quitted: bool
    error: str = ""
    notes: tuple[str, ...] = ()


def run_session(
    run: Callable[[], object], planned: Sequence[PlannedStop], watcher: Watcher, debugger: Debugger, when: str = ""
) -> Outcome:
    """Run something in the foreground and open a debugger at the planned stops.

    Args:
        run: What to run.
        planned: Where to stop.
        watcher: Shows the watches and evaluates the condition.
        debugger: `pdb`, `ipdb` or `pudb`.
        when: A condition that must hold at a stop, or "".

    Raises:
        UsageError: When the debugger is not installed, or a line cannot be stopped on.
    """
    gate = Gate(planned, watcher, when)
    session = _make(debugger, gate, watcher)
    error = ""
    with _restoring():
        for stop in planned:
            if problem := session.set_break(stop.path, stop.line):
                raise UsageError(f"{stop.shown}:{stop.line} cannot be stopped on ({problem}); name another line.")
        try:
            session.runcall(run)
        except bdb.BdbQuit:
            session.left = True
        except (Exception, SystemExit) as failure:
            # The code that was left may turn the quitting into an error of its own.
            error = "" if session.left else summary(failure)
    return Outcome(gate.stopped, session.left, error, gate.notes())


class _Guided(bdb.Bdb):
    """What every debugger of the family does differently here; put before the debugger's own class."""

    gate: Gate
    watcher: Watcher
    left = False
    _begun = False
    _admitted: Admission | None = None

    def dispatch_line(self, frame: FrameType) -> Value:
        self._admitted = None
        if self.gate.plans(frame.f_code.co_filename, frame.f_lineno):
            self._admitted = self.gate.admit(frame)
        return super().dispatch_line(frame)

    def break_here(self, frame: FrameType) -> bool:
        if not super().break_here(frame):
            return False
        return self._admitted is not None or not self.gate.plans(frame.f_code.co_filename, frame.f_lineno)

    def user_line(self, frame: FrameType) -> None:
        # A debugger that runs something begins by stopping at its first line.
        if not self._begun:
            self._begun = True
            if self._admitted is None:
                self.set_continue()
                return
        super().user_line(frame)

    def set_quit(self) -> None:
        self.left = True
        super().set_quit()


class _Shown:
    """A watched value as text; equal when the text is."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shown) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)


class _GuidedPrompt(_Guided):
    """What debuggers with a prompt do differently: they show the watches, and look at them without recording."""

    curframe: FrameType | None
    displaying: dict[FrameType | None, dict[str, object]]

    def interaction(self, frame: FrameType | None, *rest: Value) -> None:
        admitted, self._admitted = self._admitted, None
        if admitted is not None and frame is not None:
            self._message(admitted.heading)
            shown = self.displaying.setdefault(frame, {})
            for expression in admitted.stop.watches:
                value = shown[expression] = _Shown(self.watcher.look(expression, frame))
                self._message(f"display {expression}: {value!r}")
            for line in self.watcher.warnings(frame):
                self._message(line)
        super().interaction(frame, *rest)  # type: ignore[misc]

    def _getval_except(self, arg: str, frame: FrameType | None = None) -> object:
        # Shown again after every step: without this, a display of an attribute would record a node each time.
        where = frame or self.curframe
        return _Shown("" if where is None else self.watcher.look(arg, where))

    def _message(self, text: str) -> None:
        print(text, file=getattr(self, "stdout", sys.stdout))


def _make(debugger: str, gate: Gate, watcher: Watcher) -> Value:
    (module, name), package = _CLASSES[debugger]
    try:
        base = getattr(importlib.import_module(module), name)
    except ImportError:
        raise UsageError(f"{debugger} is not installed; install {package}, or use --debugger pdb.") from None
    guide = _Guided if debugger == "pudb" else _GuidedPrompt
    kind = type(f"Guided{name}", (guide, base), {"gate": gate, "watcher": watcher})
    return kind()


@contextlib.contextmanager
def _restoring() -> Iterator[None]:
    """Give back what a debugger changes for the whole process."""
    trace = sys.gettrace()
    main = threading.current_thread() is threading.main_thread()
    handler = signal.getsignal(signal.SIGINT) if main else None
    try:
        yield
    finally:
        sys.settrace(trace)
        bdb.Breakpoint.clearBreakpoints()
        if main and handler is not None:
            signal.signal(signal.SIGINT, handler)
