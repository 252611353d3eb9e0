"""Limits inside the child: a time limit that code cannot wait out, and how it is taken off again."""

import contextlib
import signal
import threading
from collections.abc import Iterator


class OutOfTime(BaseException):
    """Raised in the main thread when a time limit is over; no `except Exception` of a model catches it."""


# What code of the model raises by its own doing. A time limit that is over must not be taken for that.
RAISED = (Exception, SystemExit, KeyboardInterrupt, GeneratorExit)


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `OutOfTime` in the block when it takes longer, again and again when the block swallows it.

    Where the platform has no timer signal, or in another thread, there is no limit but that of the parent.

    Args:
        seconds: Wall-clock time.

    Raises:
        OutOfTime: When the time is over.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_signal: int, _frame: object) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
