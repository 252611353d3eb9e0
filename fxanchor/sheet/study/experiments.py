"""The experiments of a sheet: each card gets the lab that declares the card's definition, run on this torch."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from fxanchor.breakpoints.trace import TraceRequest
from fxanchor.errors import FxanchorError
from fxanchor.labs.lab import Lab, LabResult
from fxanchor.labs.run import run_labs
from fxanchor.progress import Progress, silent

# What a lab says of a value that is not the same in every run; a sheet is.
_VARIES = "(varies)"


def choose_labs(identities: Sequence[str], classes: Sequence[str], labs: Sequence[Lab]) -> dict[str, Lab]:
    """Return the lab of each card: one that is to be watched in exactly this definition, else inside the class.

    A lab goes to one card. Labs that are slow or need further packages are left out.

    Args:
        identities: Qualified names of the cards' definitions, the most central first.
        classes: Those of them that are classes.
        labs: All labs.
    """
    free = {lab.name: lab for lab in labs if not lab.slow and not lab.needs}
    chosen: dict[str, Lab] = {}
    for identity in identities:
        # The first name is the lab's main subject.
        exact = [lab for lab in free.values() if identity in lab.break_at]
        if exact:
            chosen[identity] = free.pop(min(exact, key=lambda lab: (lab.break_at.index(identity), lab.name)).name)
    for identity in classes:
        inside = {lab: sum(name.startswith(f"{identity}.") for name in lab.break_at) for lab in free.values()}
        best = min(inside, key=lambda lab: (-inside[lab], lab.name), default=None)
        if identity not in chosen and best is not None and inside[best]:
            chosen[identity] = free.pop(best.name)
    return chosen


def run_chosen(
    chosen: Mapping[str, Lab], model: TraceRequest | None = None, *, progress: Progress = silent
) -> dict[str, LabResult]:
    """Run the labs of the cards in one child process and return what came of each, by card.

    Args:
        chosen: From `choose_labs`.
        model: A model that symbolic tracing can take, for the labs that use one; None for their sample model.
        progress: Told which lab runs.

    Raises:
        InputError: When torch cannot be imported.
    """
    if not chosen:
        return {}
    labs = tuple(chosen.values())
    spec = model.spec() if model is not None else None
    try:
        results = run_labs(labs, model=spec, progress=progress)
    except FxanchorError:
        if spec is None:
            raise
        # A model that the labs cannot load, since they give it less time or no network, must not cost the sheet.
        results = run_labs(labs, progress=progress)
    return dict(zip(chosen, map(_steady, results), strict=True))


def _steady(result: LabResult) -> LabResult:
    """Leave out what is not the same in every run."""
    kept = tuple(each for each in result.observations if not each.what.endswith(_VARIES))
    return replace(result, observations=kept)
