"""Capturing a model: down the ladder of rungs until one takes it, with every step explained."""

from contextlib import AbstractContextManager
from typing import Any, Protocol

from torch import nn

from fxanchor.model.blockers.attempt import Attempt
from fxanchor.model.blockers.collect import find_blockers
from fxanchor.model.options import CaptureOptions
from fxanchor.model.places import Places
from fxanchor.model.positions import Locator
from fxanchor.model.report import Blocker, Capture, Step
from fxanchor.model.rows import rows_of
from fxanchor.model.sources import Sources
from fxanchor.model.symbolic import forward_code, run_symbolic


class Loaded(Protocol):
    """What a capture needs of a loaded model."""

    @property
    def module(self) -> nn.Module:
        """The model."""

    @property
    def file(self) -> str:
        """The model file as shown."""

    @property
    def target(self) -> str:
        """Name or expression of the model."""

    @property
    def built_by(self) -> str:
        """How it was built, in words."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What loading has to say."""


def capture(
    loaded: Loaded, options: CaptureOptions | None = None, observer: AbstractContextManager[Any] | None = None
) -> Capture:
    """Capture a model and say all that is known of how it went.

    Args:
        loaded: The model and how it was built.
        options: What to do.
        observer: Entered around the one plain call of symbolic_trace that the capture begins with.
    """
    options = options or CaptureOptions()
    code = forward_code(loaded.module)
    places = Places([] if code is None else [code.co_filename])
    locator = Locator(places, Sources())
    run = run_symbolic(loaded.module, places, concrete_args=options.concrete_args, observer=observer)
    rows = rows_of(run, loaded.module, locator)
    steps: list[Step] = []
    blockers: list[Blocker] = []
    notes = list(loaded.notes)
    if run.error is None:
        steps.append(Step("symbolic_trace", True))
    else:
        found = find_blockers(
            loaded.module,
            locator,
            run,
            base=Attempt(concrete=dict(options.concrete_args or {})),
            seconds=options.seconds,
            most=options.max_blockers,
        )
        blockers += found.blockers
        notes += found.notes
        steps.append(Step("symbolic_trace", False, blockers[0].message, 0))
    return Capture(
        file=loaded.file,
        target=loaded.target,
        built_by=loaded.built_by,
        ok=run.error is None,
        rung="symbolic_trace" if run.error is None else "none",
        steps=tuple(steps),
        nodes=rows,
        blockers=tuple(blockers),
        code="" if run.graph_module is None else run.graph_module.code,
        notes=tuple(notes),
    )
