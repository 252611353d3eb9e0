"""At which visits of a line a debugger is let in: the chosen calls, and those where a condition holds."""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from types import FrameType

from fxanchor.breakpoints.watch import Watcher
from fxanchor.model.raised import summary


@dataclass(frozen=True, slots=True)
class PlannedStop:
    """Where to open the debugger.

    Attributes:
        concept: What the line is called.
        path: Absolute path of the file.
        shown: The file as it is shown.
        line: 1-based line.
        watches: Expressions to show there.
        calls: Which calls of the function to stop in, counted from 0; None for all.
        labels: What each of the calls is about, by its number: `relu  net.py:13:8  torch.relu(x)`.
    """

    concept: str
    path: str
    shown: str
    line: int
    watches: tuple[str, ...] = ()
    calls: frozenset[int] | None = None
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Admission:
    """A stop that is to happen.

    Attributes:
        stop: The planned stop.
        call: Which call of the function it is, counted from 0.
    """

    stop: PlannedStop
    call: int

    @property
    def heading(self) -> str:
        """What to tell the person who stands there."""
        label = self.stop.labels[self.call] if self.call < len(self.stop.labels) else ""
        parts = [self.stop.concept, f"{self.stop.shown}:{self.stop.line}", f"call {self.call + 1}", label]
        return "  ·  ".join(part for part in parts if part)


class Gate:
    """Decides at each visit of a planned line whether the debugger opens.

    Args:
        planned: The stops; of two on one line both are asked.
        watcher: Evaluates the condition without recording.
        when: A condition that must hold too, or "".
    """

    def __init__(self, planned: Sequence[PlannedStop], watcher: Watcher, when: str = "") -> None:
        self._planned: dict[tuple[str, int], list[PlannedStop]] = {}
        for stop in planned:
            self._planned.setdefault((os.path.realpath(stop.path), stop.line), []).append(stop)
        self._lines = {line for _, line in self._planned}
        self._real: dict[str, str] = {}
        self._watcher = watcher
        self._when = when
        self._calls: dict[tuple[str, int], int] = {}
        # The frames themselves are kept, so that no later frame can take the address of one that is still counted.
        self._counted: dict[tuple[str, int], dict[int, FrameType]] = {}
        self.stopped = 0
        self._failures: Counter[str] = Counter()
        self._refusals = 0

    def plans(self, filename: str, line: int) -> bool:
        """Return whether a stop is planned on a line, by the file name of its code object."""
        return line in self._lines and (self._resolve(filename), line) in self._planned

    def admit(self, frame: FrameType) -> Admission | None:
        """Count a visit of the line that `frame` is about to run.

        Returns:
            The stop that is to happen now, or None when this visit goes by.
        """
        key = (self._resolve(frame.f_code.co_filename), frame.f_lineno)
        if key not in self._planned or not self._is_new(key, frame):
            return None
        call = self._calls[key] = self._calls.get(key, -1) + 1
        for stop in self._planned[key]:
            if (stop.calls is None or call in stop.calls) and self._holds(frame):
                self.stopped += 1
                return Admission(stop, call)
        return None

    def notes(self) -> tuple[str, ...]:
        """Say, in a sentence each, how the condition failed, or that it let nobody in."""
        said = [f"The condition raised {text} ({count} times)." for text, count in self._failures.most_common(3)]
        if self._refusals and not self.stopped:
            said.append(
                f"The condition {self._when!r} held at none of the {self._refusals} visits that it was asked at."
            )
        return tuple(said)

    def _is_new(self, key: tuple[str, int], frame: FrameType) -> bool:
        """Tell the first visit in a call from further ones, in recursive functions too."""
        counted = self._counted.get(key, {})
        running: dict[int, FrameType] = {}
        one: FrameType | None = frame
        while one is not None:
            if id(one) in counted:
                running[id(one)] = one
            one = one.f_back
        is_new = id(frame) not in running
        running[id(frame)] = frame
        self._counted[key] = running
        return is_new

    def _holds(self, frame: FrameType) -> bool:
        if not self._when:
            return True
        try:
            held = bool(self._watcher.evaluate(self._when, frame))
        except Exception as error:  # the condition is the user's, and may raise anything
            self._failures[summary(error)] += 1
            return False
        self._refusals += not held
        return held

    def _resolve(self, filename: str) -> str:
        found = self._real.get(filename)
        if found is None:
            found = self._real[filename] = os.path.realpath(filename)
        return found
