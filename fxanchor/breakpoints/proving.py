"""One clean run of a user's own call, with everything wanted of it proven; runs where the model is."""

import contextlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from fxanchor.breakpoints.facts import CaptureFacts
from fxanchor.breakpoints.moments import Moment
from fxanchor.breakpoints.proof import Proof, Wanted
from fxanchor.breakpoints.prove import Making, Prover
from fxanchor.breakpoints.recording import Recording, Value, find_object, load_recording
from fxanchor.errors import UsageError
from fxanchor.model.guard import kept
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
        module: What the call returned, or None when it raised.
        error: What the call raised, or None.
        notes: What the user must know of the run.
    """

    proofs: tuple[Proof, ...]
    moments: tuple[tuple[Moment, ...], ...]
    module: Value
    error: BaseException | None
    notes: tuple[str, ...] = ()


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
    run: ModelRun,
    wanted: Sequence[Wanted],
    facts: CaptureFacts,
    site_root: Path,
    capture: Capture,
    *,
    following: bool = False,
) -> ProvenRun:
    """Prove breakpoints by a run of the model, and see to it that the run gives the graph that was captured.

    Args:
        run: The model and its call.
        wanted: The breakpoints.
        facts: What the catalogue says of the package.
        site_root: Directory that the files of the breakpoints are relative to.
        capture: What is known of the model's nodes; its graph is the one to come out again.
        following: Whether to find out which node each hit is about.
    """
    proven = _once(run, wanted, facts, site_root, capture, following=following, watching=True)
    if _same_graph(proven, capture):
        return proven
    again = _once(run, wanted, facts, site_root, capture, following=following, watching=False)
    note = (
        "Looking at the watches changed the graph, so they are left out."
        if _same_graph(again, capture)
        else "Each trace of this model gives another graph; the hits are those of a trace of its own."
    )
    return ProvenRun(again.proofs, again.moments, again.module, again.error, (note,))


def _once(
    run: ModelRun,
    wanted: Sequence[Wanted],
    facts: CaptureFacts,
    site_root: Path,
    capture: Capture,
    *,
    following: bool,
    watching: bool,
) -> ProvenRun:
    making = next((Making(one.stop, facts.made_variable) for one in wanted if one.concept == facts.made_at), None)
    prover = Prover(wanted, site_root, run.trigger_of, run.recording, making, watching=watching, following=following)
    module, error = None, None
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, prover:
        try:
            # What the model prints was printed by the capture already.
            with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
                module = run.call()
        except (Exception, SystemExit) as failure:
            error = failure
    triggers = {node.name: node.trigger for node in capture.nodes}
    proofs = prover.proofs(otherwise=_why_not(error, capture), stopped=error is not None, triggers=triggers)
    return ProvenRun(proofs, tuple(prover.moments(one) for one in wanted), module, error)


def _why_not(error: BaseException | None, capture: Capture) -> str:
    if error is None:
        return "capturing this model never runs this line"
    at = next((f" at {blocker.file}:{blocker.line}" for blocker in capture.blockers if blocker.line), "")
    return f"symbolic tracing stopped before it{at} ({type(error).__name__})"


def _same_graph(proven: ProvenRun, capture: Capture) -> bool:
    """Tell whether the run gave the captured graph; when no such graph was captured there is nothing to compare."""
    if not capture.code or capture.rung != "symbolic_trace":
        return True
    if proven.module is None:
        return False
    names = [node.name for node in proven.module.graph.nodes]
    return names == [node.name for node in capture.nodes] and proven.module.code == capture.code
