"""Capturing a model: down the ladder of rungs until one takes it, with every step explained."""

from dataclasses import replace
from pathlib import Path
from typing import Protocol

from torch import nn

from fxanchor.model.blockers.attempt import Attempt
from fxanchor.model.blockers.collect import Found, find_blockers
from fxanchor.model.blockers.trial import Trials
from fxanchor.model.checking import Checked, check_eager
from fxanchor.model.comparing import compare
from fxanchor.model.eager import eager_rows
from fxanchor.model.evaluating import Evaluator
from fxanchor.model.examples import ExampleInputs
from fxanchor.model.exporting import export_rows, run_export
from fxanchor.model.failures import difference_blocker, eager_blocker, export_blocker
from fxanchor.model.fixing import fix_text, source_diff
from fxanchor.model.guard import BufferKeeper
from fxanchor.model.homes import home_of
from fxanchor.model.limits import OutOfTime, time_limit
from fxanchor.model.made import made_triggers
from fxanchor.model.options import CaptureOptions
from fxanchor.model.places import Places
from fxanchor.model.positions import Locator
from fxanchor.model.report import Blocker, Capture, NodeRow, Rung, Step, Trigger
from fxanchor.model.rows import lost_methods, module_rows, rows_of
from fxanchor.model.shapes import propagate
from fxanchor.model.silent.find import find_silent
from fxanchor.model.sources import Sources
from fxanchor.model.symbolic import SymbolicRun, run_symbolic

_NEEDS_INPUTS = "needs example inputs: --input"


class Loaded(Protocol):
    """What a capture needs of a loaded model; `load.LoadedModel` has it."""

    @property
    def module(self) -> nn.Module:
        """The model."""

    @property
    def file(self) -> str:
        """The model file as shown."""

    @property
    def path(self) -> Path:
        """The model file."""

    @property
    def target(self) -> str:
        """Name or expression of the model."""

    @property
    def built_by(self) -> str:
        """How it was built, in words."""

    @property
    def inputs(self) -> ExampleInputs | None:
        """Example inputs, or None."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What loading has to say."""


def capture(loaded: Loaded, options: CaptureOptions | None = None) -> Capture:
    """Capture a model and say all that is known of how it went.

    Args:
        loaded: The model and how it was built.
        options: What to do.
    """
    ladder = _Ladder(loaded, options or CaptureOptions())
    for rung in ladder.options.rungs():
        if ladder.climb(rung):
            break
    return ladder.result()


class _Ladder:
    """The state of one capture."""

    def __init__(self, loaded: Loaded, options: CaptureOptions) -> None:
        self.loaded = loaded
        self.module = loaded.module
        self.options = options
        self.locator = Locator(Places([str(loaded.path)]), Sources())
        self.steps: list[Step] = []
        self.blockers: list[Blocker] = []
        self.notes = list(loaded.notes)
        self.nodes: tuple[NodeRow, ...] = ()
        self.rung: Rung = "none"
        self.symbolic: SymbolicRun | None = None
        self.found = Found()
        self.buffers = BufferKeeper(self.module)
        self.checked = self._check()

    def _check(self) -> Checked | None:
        if self.loaded.inputs is None:
            return None
        try:
            with time_limit(self.options.rung_seconds):
                checked = check_eager(self.module, self.loaded.inputs, self.locator.places)
        except (Exception, OutOfTime) as error:
            self.notes.append(f"The model was not run on the example inputs: {_why(error)}.")
            return None
        if checked.note:
            self.notes.append(checked.note)
        if checked.fails and checked.run.error is not None:
            self.blockers.append(eager_blocker(checked.run.error, self.locator))
        return checked

    def climb(self, rung: Rung) -> bool:
        """Try a rung and tell whether it captured the model."""
        try:
            if rung == "symbolic_trace":
                return self._symbolic()
            if self.loaded.inputs is None:
                return self._refuse(rung, _NEEDS_INPUTS)
            if self.checked is not None and self.checked.fails:
                return self._refuse(rung, "the model itself fails on these inputs", 0)
            return self._export(self.loaded.inputs) if rung == "export" else self._eager()
        except OutOfTime as error:
            return self._refuse(rung, _why(error))

    def _refuse(self, rung: Rung, reason: str, blocker: int | None = None) -> bool:
        self.steps.append(Step(rung, False, reason, blocker))
        return False

    def _symbolic(self) -> bool:
        concrete = dict(self.options.concrete_args or {})
        with time_limit(self.options.rung_seconds):
            run = run_symbolic(self.module, self.locator.places, concrete_args=concrete or None)
        self.symbolic = run
        self.buffers.restore()
        base = Attempt(concrete=concrete)
        made = made_triggers(self.module, str(self.loaded.path), self.loaded.target, self.locator)
        self.nodes = rows_of(run, self.module, self.locator, made)
        if run.error is not None:
            first = len(self.blockers)
            self._diagnose(run, base)
            known = first < len(self.blockers)
            reason = self.blockers[first].message if known else type(run.error).__name__
            return self._refuse("symbolic_trace", reason, first if known else None)
        self.steps.append(Step("symbolic_trace", True))
        self.rung = "symbolic_trace"
        self.notes += lost_methods(self.module)
        if self.options.diagnose:
            self._look_for_silent(Trials(self.module, self.locator), base, behind_others=False)
        self._add_shapes(run)
        self._compare(run)
        return True

    def _diagnose(self, run: SymbolicRun, base: Attempt) -> None:
        limits = self.options
        most = limits.max_blockers if limits.diagnose else 1
        seconds = limits.seconds if limits.diagnose else 0.0
        trials = Trials(self.module, self.locator)
        if self.checked is not None and not self.checked.fails:
            trials = Trials(self.module, self.locator, Evaluator(self.module, self.checked.fake))
        self.found = find_blockers(trials, run, base=base, seconds=seconds, most=most, home=self._home())
        self.blockers += self.found.blockers
        if limits.diagnose:
            self.notes += self.found.notes
            self._look_for_silent(trials, self.found.beyond, behind_others=True)
        self.buffers.restore()

    def _home(self) -> Trigger | None:
        """The place that stands for the model as a whole."""
        return home_of(self.module, str(self.loaded.path), self.loaded.target, self.locator)

    def _look_for_silent(self, trials: Trials, attempt: Attempt, *, behind_others: bool) -> None:
        try:
            with time_limit(self.options.seconds):
                self.blockers += find_silent(trials, attempt, behind_others=behind_others)
        except OutOfTime as error:
            self.notes.append(f"What the trace gets wrong silently is not known: {_why(error)}.")
        self.buffers.restore()

    def _add_shapes(self, run: SymbolicRun) -> None:
        if self.checked is None or self.checked.fails or run.graph_module is None:
            return
        shapes = propagate(run.graph_module, self.module, self.checked.fake)
        empty = (None, "")
        self.nodes = tuple(
            replace(row, shape=shapes.known.get(row.name, empty)[0], dtype=shapes.known.get(row.name, empty)[1])
            for row in self.nodes
        )
        if shapes.error is not None:
            self.notes.append(f"Shapes are known up to node {len(shapes.known)} only: {type(shapes.error).__name__}.")

    def _compare(self, run: SymbolicRun) -> None:
        inputs = self.loaded.inputs
        if inputs is None or not self.options.compare or self.checked is None or self.checked.fails:
            return
        comparison = compare(run, self.module, inputs, self.locator.places)
        if comparison.note:
            self.notes.append(comparison.note)
        if comparison.difference is not None:
            self.blockers.append(difference_blocker(comparison.difference, run, self.locator))

    def _export(self, inputs: ExampleInputs) -> bool:
        with time_limit(self.options.rung_seconds):
            run = run_export(self.module, inputs, self.locator.places)
        if run.error is not None:
            found = export_blocker(run.error, run, self.locator, self._home())
            number = self._known(found)
            if number is None:
                number = len(self.blockers)
                self.blockers.append(found)
            return self._refuse("export", found.message, number)
        self.nodes = export_rows(run, self.module, self.locator)
        self.steps.append(Step("export", True))
        self.rung = "export"
        self.notes.append("torch.export records operations of ATen: calls of modules and their names are lost.")
        return True

    def _known(self, found: Blocker) -> int | None:
        """The blocker at the same place, when there is one."""
        for number, other in enumerate(self.blockers):
            if not other.silent and (other.file, other.line, other.col) == (found.file, found.line, found.col):
                return number
        return None

    def _eager(self) -> bool:
        checked = self.checked
        if checked is None:
            return self._refuse("eager", "the model could not be run on the example inputs")
        if checked.run.error is not None:
            return self._refuse("eager", f"{type(checked.run.error).__name__} on tensors without data")
        self.nodes = eager_rows(checked.run, self.module, self.locator)
        self.steps.append(Step("eager", True))
        self.rung = "eager"
        self.notes.append("Eager recording is a list of what ran on these inputs; there is no graph to call or change.")
        return True

    def result(self) -> Capture:
        """The capture."""
        graph = None if self.symbolic is None else self.symbolic.graph_module
        ours = self.rung == "symbolic_trace" and graph is not None
        return Capture(
            file=self.loaded.file,
            target=self.loaded.target,
            built_by=self.loaded.built_by,
            ok=self.rung != "none",
            rung=self.rung,
            steps=tuple(self.steps),
            nodes=self.nodes,
            blockers=tuple(self.blockers),
            code=graph.code if ours and graph is not None else "",
            notes=tuple(dict.fromkeys(self.notes)),
            modules=() if self.symbolic is None else module_rows(self.symbolic, self.module, self.locator),
            fix=fix_text(self.found, self.loaded.target, self.module),
            diff=source_diff(self.found, self.locator),
        )


def _why(error: BaseException) -> str:
    """Why something has no result, in words."""
    return "the time was up" if isinstance(error, OutOfTime) else f"{type(error).__name__}"
