"""Proving breakpoints: which of the wanted lines a run really reaches, how often, and what is seen there."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Self

from fxanchor.breakpoints.listen import Hearer, Place, Targets, make_listener
from fxanchor.breakpoints.moments import Moment, Moments
from fxanchor.breakpoints.proof import Proof, Seen, Wanted
from fxanchor.breakpoints.recording import Recording
from fxanchor.breakpoints.watch import Watcher
from fxanchor.model.report import Trigger
from fxanchor.source.definition import Stop

TriggerOf = Callable[[FrameType], Trigger | None]

# Some lines are only ever reached from the package itself: there, asking at every hit would find nothing.
_TRIGGER_TRIES = 64


@dataclass(frozen=True, slots=True)
class Making:
    """Where it is seen that a node has been made.

    Attributes:
        stop: A line that is reached once for every node.
        variable: The local variable that holds the node there.
    """

    stop: Stop
    variable: str


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
        making: Where nodes are seen to be made, to tell which node a hit is about.
        watching: Whether to look at the watches at all.
        following: Whether to find out of every hit which node it is about, not only as far as triggers need it.
    """

    def __init__(
        self,
        wanted: Sequence[Wanted],
        site_root: Path,
        trigger_of: TriggerOf,
        recording: Recording | None = None,
        making: Making | None = None,
        *,
        watching: bool = True,
        following: bool = False,
    ) -> None:
        self._wanted = tuple(wanted)
        watcher = Watcher(recording or Recording(), (site_root, Path.cwd()))
        moments = Moments()
        self._points: dict[Place, _Point] = {}
        for one in self._wanted:
            if one.stop.line:
                point = _Point(trigger_of, watcher, moments, following=following)
                point = self._points.setdefault(place_of(one.stop), point)
                point.watches += one.watches if watching else ()
        hearers: dict[Place, Hearer] = dict(self._points)
        if making is not None and making.stop.line:
            place = place_of(making.stop)
            hearers[place] = _Maker(making.variable, moments, self._points.get(place))
        self._listener = make_listener(Targets(hearers, site_root))

    def __enter__(self) -> Self:
        self._listener.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.stop()

    @property
    def silenced_by(self) -> str:
        """What switched the watching off before the block ended, such as `sys.settrace`; "" when nothing did."""
        return self._listener.silenced_by

    def proofs(
        self,
        *,
        otherwise: str = "",
        stopped: bool = False,
        triggers: Mapping[str, Trigger | None] | None = None,
    ) -> tuple[Proof, ...]:
        """Return what was found, one proof for each wanted breakpoint and in their order.

        Args:
            otherwise: Why a line was not reached, where the breakpoint itself gives no reason.
            stopped: Whether the block ended early: then a breakpoint's own reason may not be the true one.
            triggers: The user's expression behind each node by the node's name, for stops that no line of the user's
                led to directly.
        """
        return tuple(
            self._proof(one, otherwise if stopped else one.unreached or otherwise, triggers or {})
            for one in self._wanted
        )

    def moments(self, wanted: Wanted) -> tuple[Moment, ...]:
        """Return the calls that reached a breakpoint, in order, each with the nodes it was about.

        They are all there only when the prover follows.
        """
        point = self._points.get(place_of(wanted.stop))
        return tuple(point.moments) if point else ()

    def _proof(self, wanted: Wanted, reason: str, triggers: Mapping[str, Trigger | None]) -> Proof:
        if not wanted.stop.line:
            return Proof(wanted, "not executable", 0, 0, (), None, wanted.stop.note)
        point = self._points[place_of(wanted.stop)]
        if not point.hits:
            if silenced := self.silenced_by:
                return Proof(wanted, "not watched", 0, 0, (), None, f"the model switched watching off: {silenced}")
            return Proof(wanted, "not reached", 0, 0, (), None, reason)
        watch = tuple(point.seen[expression] for expression in wanted.watches if expression in point.seen)
        return Proof(wanted, "hit", point.hits, point.stops, watch, point.first_trigger(triggers))


class _Point:
    """Counts the visits to one line, and looks around on the first."""

    def __init__(self, trigger_of: TriggerOf, watcher: Watcher, moments: Moments, *, following: bool) -> None:
        self.hits = 0
        self.stops = 0
        self.watches: list[str] = []
        self.seen: dict[str, Seen] = {}
        self.moments: list[Moment] = []
        self.trigger: Trigger | None = None
        self._tries = _TRIGGER_TRIES
        self._frames: set[int] = set()
        self._lock = threading.RLock()
        self._trigger_of = trigger_of
        self._watcher = watcher
        self._moments = moments
        self._following = following

    def called(self, frame: FrameType) -> None:
        """Forget the frame that was at this address before."""
        self._frames.discard(id(frame))
        self._moments.called(frame)

    def reached(self, frame: FrameType) -> None:
        """Count a visit; look around when it is the first."""
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
                if self.trigger is None and not self._following:
                    self.moments.append(self._moments.stopped(frame))
            if self._following:
                self.moments.append(self._moments.stopped(frame))

    def first_trigger(self, triggers: Mapping[str, Trigger | None]) -> Trigger | None:
        """Return the first expression that led here: of a node that an earlier stop was about, or of a frame."""
        for moment in self.moments:
            for node in self._moments.made_by(moment):
                if (trigger := triggers.get(node)) is not None:
                    return trigger
        return self.trigger


class _Maker:
    """Sees nodes being made, and passes on to who else listens at the same line."""

    def __init__(self, variable: str, moments: Moments, also: Hearer | None) -> None:
        self._variable = variable
        self._moments = moments
        self._also = also

    def called(self, frame: FrameType) -> None:
        if self._also is not None:
            self._also.called(frame)

    def reached(self, frame: FrameType) -> None:
        name = getattr(frame.f_locals.get(self._variable), "name", None)
        if isinstance(name, str):
            self._moments.made(name, frame)
        if self._also is not None:
            self._also.reached(frame)


def place_of(stop: Stop) -> Place:
    """Return where to listen for a stop."""
    return (stop.file, stop.first_line, stop.line)
