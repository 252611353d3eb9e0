"""One clean run of a user's own call, with everything wanted of it proven; runs where the model is."""

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Protocol

from fxanchor.breakpoints.facts import CaptureFacts
from fxanchor.breakpoints.moments import Moment
from fxanchor.breakpoints.proof import Proof, Wanted
from fxanchor.breakpoints.prove import Making, Prover
from fxanchor.breakpoints.recording import Recording, Value, find_object, load_recording
from fxanchor.errors import UsageError
from fxanchor.model.guard import kept
from fxanchor.model.limits import RAISED
from fxanchor.model.places import Places
from fxanchor.model.positions import Locator
from fxanchor.model.provenance import trigger_at
from fxanchor.model.report import Capture, Trigger
from fxanchor.model.sources import Sources
from fxanchor.model.symbolic import forward_code


@dataclass(frozen=True, slots=True)
class ProvenRun:
    """What a proving run found.

    Attributes:
        proofs: One for each wanted breakpoint.
        moments: The calls that reached each of them; all of them only when the run was asked to follow.
        capture: What was found out of the model meanwhile.
        notes: What the user must know of the run.
    """

    proofs: tuple[Proof, ...]
    moments: tuple[tuple[Moment, ...], ...]
    capture: Capture
    notes: tuple[str, ...] = ()


class Proving(Protocol):
    """What proving needs to know of the captured package."""

    @property
    def facts(self) -> CaptureFacts:
        """What the catalogue says of it."""

    @property
    def site_root(self) -> Path:
        """Directory that the files of breakpoints are relative to."""


class ModelRun:
    """A model and the call that captures it, as a user writes it: nothing of fxanchor takes part in the call.

    Args:
        module: The model.
        facts: What the catalogue says of the package.
        concrete_args: Arguments of forward that are taken as constants, or None.
    """

    def __init__(self, module: Value, facts: CaptureFacts, concrete_args: Mapping[str, Value] | None = None) -> None:
        entry = find_object(facts.entry)
        if entry is None:
            raise UsageError(f"The installed package has no {facts.entry}; install a version that has.")
        self.module = module
        self.recording: Recording = load_recording(facts.objects, facts.functions, facts.look_through)
        self._entry = entry
        self._concrete_args = concrete_args
        code = forward_code(module)
        self._locator = Locator(Places([] if code is None else [code.co_filename]), Sources())

    def call(self) -> Value:
        """Capture the model once; what that changes in the model is put back."""
        with kept(self.module):
            return self._entry(self.module, None if self._concrete_args is None else dict(self._concrete_args))

    def trigger_of(self, frame: FrameType) -> Trigger | None:
        """Return the user's expression that led to a frame."""
        return trigger_at(frame, self._locator)


def prove(
    run: ModelRun, wanted: Sequence[Wanted], resolved: Proving, find: Callable[[], Capture], *, following: bool = False
) -> ProvenRun:
    """Prove breakpoints by a run of the model, and see to it that the run gives the graph that is captured.

    The run comes first, so that it is as the first one in a user's own process.

    Args:
        run: The model and its call.
        wanted: The breakpoints.
        resolved: What is known of the package.
        find: Captures the model, for the expressions behind its nodes.
        following: Whether to find out which node each hit is about.
    """
    attempt = _Attempt(run, wanted, resolved, following=following, watching=True)
    capture = find()
    if attempt.gave(capture):
        return attempt.proven(capture)
    again = _Attempt(run, wanted, resolved, following=following, watching=False)
    if again.gave(capture):
        return again.proven(capture, "Looking at the watches changed the graph, so they are left out.")
    note = "Each trace of this model gives another graph; the hits are those of a trace of its own."
    return attempt.proven(capture, note)


class _Attempt:
    """One run under a prover."""

    def __init__(
        self, run: ModelRun, wanted: Sequence[Wanted], resolved: Proving, *, following: bool, watching: bool
    ) -> None:
        facts = resolved.facts
        making = next((Making(one.stop, facts.made_variable) for one in wanted if one.concept == facts.made_at), None)
        self._wanted = wanted
        self._prover = Prover(
            wanted,
            resolved.site_root,
            run.trigger_of,
            run.recording,
            making,
            watching=watching,
            following=following,
        )
        self._module: Value = None
        self._error: BaseException | None = None
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere, self._prover:
            try:
                # The capture itself lets the user see what the model prints; once is enough.
                with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
                    self._module = run.call()
            except RAISED as failure:
                self._error = failure

    def gave(self, capture: Capture) -> bool:
        """Tell whether the run gave the captured graph; when no such graph was captured there is nothing to compare."""
        if not capture.code or capture.rung != "symbolic_trace":
            return True
        if self._module is None:
            return False
        names = [node.name for node in self._module.graph.nodes]
        return names == [node.name for node in capture.nodes] and self._module.code == capture.code

    def proven(self, capture: Capture, *notes: str) -> ProvenRun:
        """Return what the run proved, with the expressions that are known by now."""
        triggers = {node.name: node.trigger for node in capture.nodes}
        stopped = self._error is not None
        proofs = self._prover.proofs(otherwise=self._why_not(capture), stopped=stopped, triggers=triggers)
        if silenced := self._prover.silenced_by:
            notes += (
                f"The model switched watching off while it was captured ({silenced}): hits count only what came "
                "before, and of the other breakpoints it is not known whether they are reached.",
            )
        return ProvenRun(proofs, tuple(self._prover.moments(one) for one in self._wanted), capture, notes)

    def _why_not(self, capture: Capture) -> str:
        if self._error is None:
            return "capturing this model never runs this line"
        at = next((f" at {blocker.file}:{blocker.line}" for blocker in capture.blockers if blocker.line), "")
        return f"symbolic tracing stopped before it{at} ({type(self._error).__name__})"
