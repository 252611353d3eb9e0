"""The first process of a child: it forks the working one, keeps its limits, and leaves no process behind."""

import contextlib
import ctypes
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NoReturn

from fxanchor.model.channel import Recorder

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_POLL_SECONDS = 0.05
_SWEEP_SECONDS = 5.0
_MOST_PROCESSES = 256
_PROC = Path("/proc")
_LISTS_CHILDREN = (_PROC / "self" / "task" / str(os.getpid()) / "children").exists()


def watch(
    work: Callable[[], NoReturn], recorder: Recorder, folder: Path, *, parent: int, memory_bytes: int | None
) -> NoReturn:
    """Fork; run `work` in the new process and watch over it in this one.

    Every process that descends from the new one, also one that made itself a daemon, ends before this one does.
    Without `fork` (Windows) `work` runs in this process and has no watch but the parent's.

    Args:
        work: Does not return.
        recorder: Where the end of the working process is written.
        folder: The directory that the parent shares with this process; removed here when the parent cannot.
        parent: Process id of whoever started this process; when it ends, everything ends.
        memory_bytes: Memory that all processes together may hold, or None for no limit.
    """
    if not hasattr(os, "fork"):
        work()
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    if os.getppid() != parent:
        os._exit(1)
    signals = {signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    me = os.getpid()
    worker = os.fork()
    if not worker:
        _become_worker(me)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)
        work()
    _let_go_of_output()
    try:
        _guard(worker, recorder, memory_bytes, signals)
    finally:
        _end_all(worker)
        if os.getppid() != parent:
            shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)


def _become_worker(warden: int) -> None:
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != warden:
        os._exit(1)
    # Out of the warden's group: a model that signals its own group must not reach the warden.
    os.setsid()
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # When the machine itself runs out of memory, the kernel should take this process and not the user's editor.
    with contextlib.suppress(OSError):
        (_PROC / "self" / "oom_score_adj").write_text("1000", encoding="ascii")


def _let_go_of_output() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    os.dup2(null, 2)
    os.close(null)


def _guard(worker: int, recorder: Recorder, memory_bytes: int | None, signals: set[signal.Signals]) -> None:
    peak = 0
    while True:
        while (ended := _reap()) is not None:
            if ended[0] == worker:
                code = os.waitstatus_to_exitcode(ended[1])
                recorder.write("end", {"cause": "", "code": code, "peak": peak})
                return
        memory, processes = _usage()
        peak = max(peak, memory)
        if memory_bytes is not None and memory > memory_bytes:
            recorder.write("end", {"cause": "memory", "code": 0, "peak": peak})
            return
        if processes > _MOST_PROCESSES:
            recorder.write("end", {"cause": "processes", "code": 0, "peak": peak})
            return
        received = _wait(signals)
        if received is not None and received != signal.SIGCHLD:
            return


def _wait(signals: set[signal.Signals]) -> int | None:
    if not hasattr(signal, "sigtimedwait"):  # macOS
        time.sleep(_POLL_SECONDS)
        pending = signal.sigpending() & (signals - {signal.SIGCHLD})
        return min(pending) if pending else None
    received = signal.sigtimedwait(signals, _POLL_SECONDS)
    return None if received is None else received.si_signo


def _reap() -> tuple[int, int] | None:
    try:
        pid, status = os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return None
    return (pid, status) if pid else None


def _end_all(worker: int) -> None:
    # All that can be done where no /proc tells of the others (macOS).
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(worker, signal.SIGKILL)
    deadline = time.monotonic() + _SWEEP_SECONDS
    while time.monotonic() < deadline:
        descendants = list(_descendants(_all_children().get))
        for pid in descendants:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        while _reap() is not None:
            pass
        if not descendants:
            return
        time.sleep(0.002)


def _descendants(children_of: Callable[[int], Iterable[int] | None]) -> Iterator[int]:
    """Yield the processes under this one, parents first."""
    waiting = [os.getpid()]
    while waiting:
        for pid in children_of(waiting.pop()) or ():
            waiting.append(pid)
            yield pid


def _listed_children(pid: int) -> list[int]:
    """Return the children that the kernel lists for a process: quick, and now and then one is left out."""
    if not _LISTS_CHILDREN:
        return _all_children().get(pid, [])
    found: list[int] = []
    for children in (_PROC / str(pid) / "task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, children.read_bytes().split())
    return found


def _all_children() -> dict[int, list[int]]:
    """Return the children of every process: looks at each process of the machine, and leaves none out."""
    children: dict[int, list[int]] = {}
    for entry in _PROC.iterdir() if _PROC.is_dir() else ():
        if entry.name.isdecimal() and (parent := _parent_of(entry)) is not None:
            children.setdefault(parent, []).append(int(entry.name))
    return children


def _parent_of(entry: Path) -> int | None:
    try:
        # The name of a process stands in parentheses and may itself hold spaces and parentheses.
        return int((entry / "stat").read_bytes().rpartition(b")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return None


def _usage() -> tuple[int, int]:
    """Return the bytes held and the number of processes under this one; shared pages count once."""
    page = os.sysconf("SC_PAGE_SIZE")
    own, shared, count = 0, 0, 0
    for pid in _descendants(_listed_children):
        count += 1
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = (_PROC / str(pid) / "statm").read_bytes().split()
            own += int(fields[1]) - int(fields[2])
            shared = max(shared, int(fields[2]))
    return (own + shared) * page, count


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
