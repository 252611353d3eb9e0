"""Proving breakpoints: which of the wanted lines a run really reaches, how often, and what is seen there."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Self

from fxanchor.breakpoints.listen import Place, Targets, make_listener
from fxanchor.breakpoints.proof import Proof, Seen, Wanted
from fxanchor.breakpoints.recording import Recording
from fxanchor.breakpoints.watch import Watcher
from fxanchor.model.report import Trigger

TriggerOf = Callable[[FrameType], Trigger | None]

# Some lines are only ever reached from the package itself: there, asking at every hit would find nothing.
_TRIGGER_TRIES = 64


class _Point:
    """Counts the visits to one line, and looks around on the first."""

    __slots__ = ("_frames", "_lock", "_tries", "_trigger_of", "_watcher", "hits", "seen", "stops", "trigger", "watches")

    def __init__(self, trigger_of: TriggerOf, watcher: Watcher) -> None:
        self.hits = 0
        self.stops = 0
        self.watches: list[str] = []
        self.seen: dict[str, Seen] = {}
        self.trigger: Trigger | None = None
        self._tries = _TRIGGER_TRIES
        self._frames: set[int] = set()
        self._lock = threading.RLock()
        self._trigger_of = trigger_of
        self._watcher = watcher

    def called(self, frame: FrameType) -> None:
        # A new frame can have the address of one that is gone.
        self._frames.discard(id(frame))

    def reached(self, frame: FrameType) -> None:
        with self._lock:
            self.stops += 1
            if id(frame) in self._frames:
                return
            self._frames.add(id(frame))
            self.hits += 1
            if self.hits == 1:
                for expression in self.watches:
                    self.seen[expression] = Seen(expression, self._watcher.look(expression, frame))
            if self.trigger is None and self._tries:
                self._tries -= 1
                self.trigger = self._trigger_of(frame)


class Prover:
    """Counts what a block of code reaches of the wanted lines.

    Use it as a context manager around a capture, then ask for the proofs:

        with Prover(wanted, site_root, trigger_of) as prover:
            capture()
        proofs = prover.proofs()

    Calls are counted by frame, so a line that stops several times in one call counts once. Watches are looked at on
    the first hit only, and what they call is not counted.

    Args:
        wanted: The breakpoints to prove.
        site_root: Directory that the files of the stops are relative to.
        trigger_of: Finds the user's expression that led to a frame.
        recording: What records in the captured package; watches leave it alone.
        watching: Whether to look at the watches at all.
    """

    def __init__(
        self,
        wanted: Sequence[Wanted],
        site_root: Path,
        trigger_of: TriggerOf,
        recording: Recording | None = None,
        *,
        watching: bool = True,
    ) -> None:
        self._wanted = tuple(wanted)
        watcher = Watcher(recording or Recording(), (site_root, Path.cwd()))
        self._points: dict[Place, _Point] = {}
        for one in self._wanted:
            if one.stop.line:
                point = self._points.setdefault(_place(one), _Point(trigger_of, watcher))
                point.watches += one.watches if watching else ()
        self._listener = make_listener(Targets(self._points, site_root))

    def __enter__(self) -> Self:
        self._listener.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.stop()

    def proofs(self, *, otherwise: str = "") -> tuple[Proof, ...]:
        """Return what was found, one proof for each wanted breakpoint and in their order.

        Args:
            otherwise: Why a line was not reached, where the breakpoint itself gives no reason.
        """
        return tuple(self._proof(one, otherwise) for one in self._wanted)

    def _proof(self, wanted: Wanted, otherwise: str) -> Proof:
        if not wanted.stop.line:
            return Proof(wanted, "not executable", 0, 0, (), None, wanted.stop.note)
        point = self._points[_place(wanted)]
        if not point.hits:
            return Proof(wanted, "not reached", 0, 0, (), None, wanted.unreached or otherwise)
        watch = tuple(point.seen[expression] for expression in wanted.watches if expression in point.seen)
        return Proof(wanted, "hit", point.hits, point.stops, watch, point.trigger)


def _place(wanted: Wanted) -> Place:
    return (wanted.stop.file, wanted.stop.first_line, wanted.stop.line)
