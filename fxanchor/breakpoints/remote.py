"""A debugging session for an editor that attaches through the Debug Adapter Protocol (debugpy)."""

import sys
from collections.abc import Callable, Sequence
from types import FrameType

from fxanchor.breakpoints.gate import Gate, PlannedStop
from fxanchor.breakpoints.session import Outcome
from fxanchor.breakpoints.watch import Watcher
from fxanchor.errors import UsageError
from fxanchor.model.raised import summary

# The condition of every breakpoint asks the gate of the session that runs; there is one in a process.
_current: Gate | None = None
_CONDITION = "__import__('sys').modules[{module!r}].lets_in(__import__('sys')._getframe(), {line})"


def run_remote(
    run: Callable[[], object],
    planned: Sequence[PlannedStop],
    watcher: Watcher,
    say: Callable[[str], None],
    when: str = "",
    *,
    port: int = 0,
) -> Outcome:
    """Wait for an editor to attach, then run something that stops there at the planned stops.

    Args:
        run: What to run.
        planned: Where to stop.
        watcher: Evaluates the condition.
        say: Told the address to attach to.
        when: A condition that must hold at a stop, or "".
        port: Port of this machine to listen on; 0 for any that is free.

    Raises:
        UsageError: When debugpy is not installed, or the port is taken.
    """
    global _current  # noqa: PLW0603 (a condition is text, and reaches nothing but what a module holds)
    try:
        import debugpy
    except ImportError:
        raise UsageError("debugpy is not installed; install debugpy, or use --debugger pdb.") from None
    try:
        host, chosen = debugpy.listen(("127.0.0.1", port))
    except (OSError, RuntimeError) as taken:
        raise UsageError(f"debugpy cannot listen on port {port} ({summary(taken)}); choose another one.") from None
    say(f"Waiting for an editor to attach to {host}:{chosen} (VS Code: Python Debugger, Remote Attach).")
    debugpy.wait_for_client()
    gate = _current = Gate(planned, watcher, when)
    _set_breakpoints(planned)
    error = ""
    try:
        run()
    except (Exception, SystemExit) as failure:
        error = summary(failure)
    finally:
        _current = None
    return Outcome(gate.stopped, quitted=False, error=error, notes=gate.notes())


def lets_in(frame: FrameType, line: int) -> bool:
    """Tell the debugger whether to stop at a visit of a planned line; called from a breakpoint's condition.

    Args:
        frame: The frame of the condition, somewhere below the frame that is to be stopped.
        line: The planned line.
    """
    stopped: FrameType | None = frame
    while stopped is not None and _current is not None:
        if stopped.f_lineno == line and _current.plans(stopped.f_code.co_filename, line):
            return _current.admit(stopped) is not None
        stopped = stopped.f_back
    return False


def _set_breakpoints(planned: Sequence[PlannedStop]) -> None:
    import pydevd  # type: ignore[import-not-found,unused-ignore]  # comes with debugpy, which puts it on the path
    from _pydevd_bundle.pydevd_api import PyDevdAPI  # type: ignore[import-not-found,unused-ignore]

    debugger = pydevd.get_global_debugger()
    for number, (path, line) in enumerate(dict.fromkeys((stop.path, stop.line) for stop in planned)):
        condition = _CONDITION.format(module=__name__, line=line)
        PyDevdAPI().add_breakpoint(
            debugger, path, "python-line", f"fxanchor-{number}", line, condition, "None", None, "NONE", None, False
        )
    assert __name__ in sys.modules
