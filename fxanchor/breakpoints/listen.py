"""Hearing of every line of a few chosen functions: by sys.monitoring where Python has it, by sys.settrace before."""

import os
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Protocol

from fxanchor.breakpoints.recording import Value

# A place to listen at: file relative to the site directory, first line of the code object, wanted line.
Place = tuple[str, int, int]
# What `sys.settrace` takes: called with a frame, the event and its argument.
TraceFunction = Callable[[FrameType, Any, Any], Any]
_TOOL_NAME = "fxanchor"


class Hearer(Protocol):
    """What listens at one place; several calls can be under way at a time."""

    def called(self, frame: FrameType) -> None:
        """Be told that the function of the place begins in `frame`."""

    def reached(self, frame: FrameType) -> None:
        """Be told that `frame` is about to run the line of the place."""


class Listener(Protocol):
    """Starts and stops listening."""

    @property
    def silenced_by(self) -> str:
        """What switched the listening off before it was stopped, such as `sys.settrace`; "" when nothing did."""

    def start(self) -> None:
        """Begin to listen."""

    def stop(self) -> None:
        """Cease to listen and leave the interpreter as it was found."""


class Targets:
    """The functions to listen in, found by file and first line.

    A code object that was loaded from a cached `.pyc` may spell its file in another way than the index does, so
    files are compared after links are resolved.
    """

    def __init__(self, hearers: Mapping[Place, Hearer], site_root: Path) -> None:
        self._relative: dict[str, str] = {}
        self._named: set[tuple[str, int]] = set()
        self._by_first_line: dict[int, dict[str, dict[int, Hearer]]] = {}
        for (file, first_line, line), hearer in hearers.items():
            self._by_first_line.setdefault(first_line, {}).setdefault(file, {})[line] = hearer
            self._relative[str(site_root / file)] = file
            self._relative[os.path.realpath(site_root / file)] = file

    def lines_of(self, code: CodeType) -> dict[int, Hearer] | None:
        """Return who listens at which lines of a code object, or None when nothing of it is wanted."""
        by_file = self._by_first_line.get(code.co_firstlineno)
        if by_file is None:
            return None
        name = code.co_filename
        file = self._relative.get(name)
        if file is None:
            file = self._relative.setdefault(name, self._relative.get(os.path.realpath(name), ""))
        lines = by_file.get(file)
        if lines is not None and not self._is_meant(code, file):
            return None
        return lines

    def _is_meant(self, code: CodeType, file: str) -> bool:
        """Tell a function from the lambdas and comprehensions that begin on its first line; they run after it."""
        place = (file, code.co_firstlineno)
        if not code.co_name.startswith("<"):
            self._named.add(place)
            return True
        return place not in self._named


class MonitoringListener:
    """Listens through `sys.monitoring`, whose events can be switched off where nothing is wanted."""

    _TOOL_IDS = (3, 4, 5, 2, 1, 0)

    @classmethod
    def is_possible(cls) -> bool:
        """Tell whether this Python has `sys.monitoring`, with a tool number that nobody uses."""
        monitoring: Any = getattr(sys, "monitoring", None)
        return monitoring is not None and any(monitoring.get_tool(number) is None for number in cls._TOOL_IDS)

    def __init__(self, targets: Targets) -> None:
        self.silenced_by = ""
        self._targets = targets
        self._tool = -1
        # By address, which is safe because the code objects are kept alive: they are slow to hash.
        self._known: dict[int, tuple[CodeType, dict[int, Hearer]]] = {}
        self._monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]

    def start(self) -> None:
        """Begin to listen."""
        monitoring = self._monitoring
        self._tool = next(number for number in self._TOOL_IDS if monitoring.get_tool(number) is None)
        monitoring.use_tool_id(self._tool, _TOOL_NAME)
        # Places switched off by an earlier listener of this number stay off until this is called.
        monitoring.restart_events()
        events = monitoring.events
        monitoring.register_callback(self._tool, events.PY_START, self._started)
        monitoring.register_callback(self._tool, events.LINE, self._line)
        monitoring.set_events(self._tool, events.PY_START)

    def stop(self) -> None:
        """Cease to listen and give the tool number back."""
        monitoring = self._monitoring
        events = monitoring.events
        if (owner := monitoring.get_tool(self._tool)) != _TOOL_NAME:
            self.silenced_by = "sys.monitoring.free_tool_id"
            if owner is None:
                # Python 3.12 keeps what was registered when the number is given back.
                monitoring.use_tool_id(self._tool, _TOOL_NAME)
                self._unregister()
            self._known.clear()
            return
        if not monitoring.get_events(self._tool) & events.PY_START:
            self.silenced_by = "sys.monitoring.set_events"
        for code, _ in self._known.values():
            if not monitoring.get_local_events(self._tool, code) & events.LINE:
                self.silenced_by = "sys.monitoring.set_local_events"
        if not self._unregister():
            self.silenced_by = "sys.monitoring.register_callback"
        self._known.clear()

    def _unregister(self) -> bool:
        """Switch off what was asked for and give the number back; tell whether the callbacks were still there."""
        monitoring, events = self._monitoring, self._monitoring.events
        monitoring.set_events(self._tool, events.NO_EVENTS)
        for code, _ in self._known.values():
            monitoring.set_local_events(self._tool, code, events.NO_EVENTS)
        there = [
            monitoring.register_callback(self._tool, event, None) == own
            for event, own in ((events.PY_START, self._started), (events.LINE, self._line))
        ]
        monitoring.free_tool_id(self._tool)
        return all(there)

    def _started(self, code: CodeType, _offset: int) -> object:
        known = self._known.get(id(code))
        if known is None:
            lines = self._targets.lines_of(code)
            if lines is None or self._monitoring.get_tool(self._tool) != _TOOL_NAME:
                return self._monitoring.DISABLE
            known = self._known[id(code)] = (code, lines)
            self._monitoring.set_local_events(self._tool, code, self._monitoring.events.LINE)
        frame = sys._getframe(1)
        for hearer in known[1].values():
            hearer.called(frame)
        return None

    def _line(self, code: CodeType, line: int) -> object:
        known = self._known.get(id(code))
        hearer = known[1].get(line) if known else None
        if hearer is None:
            return self._monitoring.DISABLE
        hearer.reached(sys._getframe(1))
        return None


class SettraceListener:
    """Listens through `sys.settrace`, following only frames of the wanted functions and serving who traced before."""

    def __init__(self, targets: Targets) -> None:
        self.silenced_by = ""
        self._targets = targets
        self._settings = 0
        self._threads: TraceFunction | None = None
        self._before: TraceFunction | None = None
        self._before_threads: TraceFunction | None = None
        self._global: TraceFunction | None = None

    def start(self) -> None:
        """Begin to listen, in this thread and in those that start from now on."""
        self._before = sys.gettrace()
        self._before_threads = threading.gettrace()
        self._global = self._make(self._before)
        self._threads = self._make(self._before_threads)
        threading.settrace(self._threads)
        sys.settrace(self._global)
        self._settings = _trace_settings.count()

    def stop(self) -> None:
        """Cease to listen; a trace function that the captured code installed meanwhile is left in place."""
        if threading.gettrace() is not self._threads:
            self.silenced_by = "threading.settrace"
        if sys.gettrace() is not self._global or self._settings != _trace_settings.count():
            self.silenced_by = "sys.settrace"
        if sys.gettrace() is self._global:
            sys.settrace(self._before)
        if self._before_threads is None:
            # `threading.settrace` takes None too, though its stub does not say so before Python 3.12.
            threading.settrace(None)  # type: ignore[arg-type,unused-ignore]
        else:
            threading.settrace(self._before_threads)

    def _make(self, before: TraceFunction | None) -> TraceFunction:
        lines_of = self._targets.lines_of

        def trace(frame: FrameType, event: str, arg: Value) -> TraceFunction | None:
            follow = before(frame, event, arg) if before is not None else None
            lines = lines_of(frame.f_code)
            if lines is None:
                return follow
            if _begins(frame):
                for hearer in lines.values():
                    hearer.called(frame)
            return _follow(lines, follow)

        return trace


class _TraceSettings:
    """Counts how often the program sets a trace function: one that is put back later was missed in between."""

    def __init__(self) -> None:
        self._count = 0
        self._hooked = False

    def count(self) -> int:
        """Return the number of settings since the first call."""
        if not self._hooked:
            self._hooked = True
            sys.addaudithook(self._heard)
        return self._count

    def _heard(self, event: str, _arguments: object) -> None:
        # Every new thread sets the function that `threading` keeps for it, which is the listener's own.
        if event == "sys.settrace" and sys._getframe(1).f_code is not _THREAD_START:
            self._count += 1


_THREAD_START: CodeType = threading.Thread._bootstrap_inner.__code__  # type: ignore[attr-defined]
_trace_settings = _TraceSettings()


def make_listener(targets: Targets) -> Listener:
    """Return the listener that costs least on this Python."""
    if MonitoringListener.is_possible():
        return MonitoringListener(targets)
    return SettraceListener(targets)


def _follow(lines: dict[int, Hearer], follow: TraceFunction | None) -> TraceFunction:
    def trace(frame: FrameType, event: str, arg: Value) -> TraceFunction:
        nonlocal follow
        if event == "line" and (hearer := lines.get(frame.f_lineno)) is not None:
            hearer.reached(frame)
        if follow is not None:
            follow = follow(frame, event, arg)
        return trace

    return trace


def _begins(frame: FrameType) -> bool:
    """Tell a call from a generator that goes on: both are a `call` event, but they resume at different instructions."""
    code = frame.f_code.co_code
    index = frame.f_lasti
    return index < 0 or index + 1 >= len(code) or code[index + 1] & 3 == 0
