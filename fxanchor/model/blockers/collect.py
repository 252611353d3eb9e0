"""Every blocker of a model, in order: each one is explained, its recipes are tried, and the trace goes on behind it."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from torch import nn

from fxanchor.model.blockers.attempt import Attempt
from fxanchor.model.blockers.diagnosis import Context, Diagnosis, Draft
from fxanchor.model.blockers.families import diagnose
from fxanchor.model.blockers.resume import Resumer, resuming_edit
from fxanchor.model.blockers.stop import Stop, stop_of
from fxanchor.model.blockers.trial import Trials
from fxanchor.model.limits import OutOfTime, time_limit
from fxanchor.model.positions import Locator
from fxanchor.model.report import Blocker, Recipe, Trigger
from fxanchor.model.symbolic import SymbolicRun

_MAX_RECIPES = 6
_LAST_TRIAL_SECONDS = 20.0
_UNSURE_KINDS = ("other", "own-error", "recursion", "surroundings")


@dataclass(slots=True)
class Found:
    """What a search for blockers found.

    Attributes:
        blockers: The blockers, in the order of the trace.
        fix: The verified recipes together, or None when there are none or they do not go together.
        fixed: The trace with them, when it came to its end.
        still: The blockers that have no verified recipe.
        complete: Whether the trace came to its end behind them.
        beyond: How the trace goes on behind them.
        notes: What could not be looked at, one sentence each.
    """

    blockers: list[Blocker] = field(default_factory=list)
    fix: Attempt | None = None
    fixed: SymbolicRun | None = None
    still: list[Blocker] = field(default_factory=list)
    complete: bool = False
    beyond: Attempt = field(default_factory=Attempt)
    notes: list[str] = field(default_factory=list)


def find_blockers(
    trials: Trials,
    first: SymbolicRun,
    *,
    base: Attempt,
    seconds: float,
    most: int,
    home: Trigger | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Found:
    """Look for every blocker of a model.

    Args:
        trials: Traces the model.
        first: The trace that stopped.
        base: How that trace was made.
        seconds: Time for the whole search.
        most: Number of blockers to stop at.
        home: The place that stands for the model as a whole, or None.
        clock: Tells the time in seconds.
    """
    search = _Search(trials, base, home, _Limits(clock() + seconds, most, clock))
    run: SymbolicRun | None = first
    try:
        # One trace of a trial can take long; the deadline alone is looked at between them.
        with time_limit(seconds + _LAST_TRIAL_SECONDS):
            while run is not None and run.error is not None:
                run = search.step(run)
            return search.finish()
    except OutOfTime:
        search.found.beyond = search.beyond
        search.found.notes.append("Blockers behind the last one are not known: the time for it was up.")
        return search.found


@dataclass(frozen=True, slots=True)
class _Limits:
    """When a search ends."""

    deadline: float
    most: int
    clock: Callable[[], float]

    def late(self) -> bool:
        """Whether the time is up."""
        return self.clock() > self.deadline


class _Search:
    """The state of one search."""

    def __init__(self, trials: Trials, base: Attempt, home: Trigger | None, limits: "_Limits") -> None:
        self.root = trials.root
        self.locator = trials.locator
        self.home = home
        self.limits = limits
        self.trials = trials
        self.resumer = Resumer(self.trials.current_tracer, self.trials.evaluate)
        self.found = Found()
        self.beyond = base
        self.fix = base
        self.fixes = False
        self.behind_others = False
        self.guessed = False
        self.seen: set[tuple[object, ...]] = set()

    def step(self, run: SymbolicRun) -> SymbolicRun | None:
        """Take in the stop of a trace and return the trace that goes on behind it."""
        assert run.error is not None
        stop = stop_of(run.error, self.locator)
        context = Context(stop, run, self.root, self.locator, self.home)
        found = diagnose(context)
        self.seen.add(_key(stop))
        if self.guessed and found.kind in _UNSURE_KINDS:
            # A value that stands in for an unknown one can be wrong where no Proxy is: that is no fault of the model.
            self.found.notes.append("Blockers behind the last one are not known: what follows depends on its value.")
            return None
        recipes, passing = self._try(found.drafts, stop, run)
        blocker = _blocker(stop, found, recipes, self.home)
        if not any(_same_place(blocker, other) for other in self.found.blockers):
            self.found.blockers.append(blocker)
            if not passing:
                self.found.still.append(blocker)
        if passing and passing[0].attempt:
            self.fix = self.fix.plus(passing[0].attempt)
            self.fixes = True
        if len(self.found.blockers) >= self.limits.most:
            self.found.notes.append(f"The search ended at {self.limits.most} blockers; there may be more behind them.")
            return None
        for attempt in self._ways_on(found, stop, passing, context):
            if self.limits.late():
                break
            further = self.trials.trace(self.beyond.plus(attempt))
            if further is not None and self._is_new(further, run):
                self.beyond = self.beyond.plus(attempt)
                self.behind_others = True
                self.guessed = self.guessed or bool(attempt.edits)
                self.found.complete = further.error is None
                return further
        late = self.limits.late()
        why = "the time for it was up" if late else "the trace could not go on behind it"
        self.found.notes.append(f"Blockers behind the last one are not known: {why}.")
        return None

    def finish(self) -> Found:
        """What was found, with the recipes tried together."""
        self.found.beyond = self.beyond
        if self.fixes and not self.limits.late():
            run = self.trials.trace(self.fix)
            if run is not None and run.error is None and self.found.complete and not self.found.still:
                self.found.fix, self.found.fixed = self.fix, run
            elif run is not None and run.error is not None and self._stops_at_the_rest(run.error):
                self.found.fix = self.fix
        return self.found

    def _stops_at_the_rest(self, error: BaseException) -> bool:
        """Whether a trace with the recipes stops where no recipe is known, and not at what they should have passed."""
        where = stop_of(error, self.locator).trigger
        return where is not None and any((b.file, b.line) == (where.file, where.line) for b in self.found.still)

    def _try(self, drafts: tuple[Draft, ...], stop: Stop, run: SymbolicRun) -> tuple[list[Recipe], list[Draft]]:
        recipes: list[Recipe] = []
        passing: list[Draft] = []
        for draft in drafts[:_MAX_RECIPES]:
            if draft.attempt is None or self.limits.late():
                recipes.append(Recipe(draft.title, draft.change, False, 0))
                continue
            trial = self.trials.trace(self.beyond.plus(draft.attempt))
            if trial is not None and _is_past(trial, draft.attempt, stop, run, self.locator):
                next_stop = self._place_of(trial)
                recipes.append(
                    Recipe(draft.title, draft.change, True, len(trial.records), next_stop, self.behind_others)
                )
                passing.append(draft)
        return recipes, passing

    def _place_of(self, trial: SymbolicRun) -> str:
        """Where a trial stopped, "" when it came to its end."""
        if trial.error is None:
            return ""
        where = stop_of(trial.error, self.locator).trigger or self.home
        return f"{where.file}:{where.line}" if where else "a place outside the model"

    def _ways_on(self, found: Diagnosis, stop: Stop, passing: list[Draft], context: Context) -> Iterator[Attempt]:
        """Ways to go on: what changes least first, so that as much as possible of the model is still looked at."""
        arguments = [draft.attempt for draft in passing if draft.attempt and draft.attempt.concrete]
        yield from arguments
        if found.goal is not None and stop.filename:
            goal = found.goal
            yield Attempt(edits=(resuming_edit(stop.filename, goal.node, goal.mode, self.resumer, goal.count),))
        yield from (draft.attempt for draft in passing if draft.attempt and not draft.attempt.concrete)
        for module in context.opened():
            if type(module) is not nn.Sequential:
                yield Attempt(leaf_classes=(type(module),))

    def _is_new(self, further: SymbolicRun, before: SymbolicRun) -> bool:
        """Whether a trace came to its end, or to a stop that was not seen yet."""
        if further.error is None:
            return True
        return _key(stop_of(further.error, self.locator)) not in self.seen


def _same_place(a: Blocker, b: Blocker) -> bool:
    """Whether two blockers are one expression, which fails otherwise once its first failure is passed."""
    return (a.file, a.line, a.col, a.end_col) == (b.file, b.line, b.col, b.end_col)


def _is_past(trial: SymbolicRun, attempt: Attempt, stop: Stop, run: SymbolicRun, locator: Locator) -> bool:
    """Whether a trial got past a stop: to the end, or to a stop at another place that is not before it."""
    if trial.error is None:
        return True
    other = stop_of(trial.error, locator)
    if _key(other) == _key(stop) or _within(other, stop) or _needs_what_it_replaces(other, stop):
        return False
    if len(trial.records) >= len(run.records) - 1:
        return True
    # What is kept whole records fewer nodes; then it counts how far the root's forward came.
    return bool(attempt.leaf_classes or attempt.wraps) and _reached(other, trial, locator) >= _reached(
        stop, run, locator
    )


def _reached(stop: Stop, run: SymbolicRun, locator: Locator) -> tuple[int, int]:
    """The line and column that the root's forward came to."""
    for crossing in stop.crossings:
        if crossing.site.code is run.forward:
            span = locator.span(crossing.site)
            return (0, 0) if span is None else (span.line, span.col)
    return (0, 0)


def _key(stop: Stop) -> tuple[object, ...]:
    trigger = stop.trigger
    place = (trigger.file, trigger.line, trigger.col) if trigger else ()
    return (*place, type(stop.error).__name__, stop.raised_at.symbol)


def _needs_what_it_replaces(other: Stop, stop: Stop) -> bool:
    """Whether the expression around a stop now fails because it needs the very integer that a Proxy stands for."""
    return "cannot be interpreted as an integer" in other.message and _within(stop, other)


def _within(other: Stop, stop: Stop) -> bool:
    """Whether a stop lies in the expression of another."""
    a, b = other.trigger, stop.trigger
    if a is None or b is None:
        return a is b
    return (
        a.file == b.file and (b.line, b.col) <= (a.line, a.col) and (a.end_line, a.end_col) <= (b.end_line, b.end_col)
    )


def _blocker(stop: Stop, found: Diagnosis, recipes: list[Recipe], home: Trigger | None) -> Blocker:
    where = found.where or stop.trigger or home
    return Blocker(
        kind=found.kind,
        file=where.file if where else "",
        line=where.line if where else 0,
        col=where.col if where else 0,
        end_col=where.end_col if where else 0,
        expression=where.expression if where else "",
        message=stop.message,
        raised_at=found.raised_at or stop.raised_at,
        explanation=found.explanation,
        cause=found.cause,
        recipes=tuple(recipes),
    )
