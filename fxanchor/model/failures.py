"""Failures that are no stops of symbolic tracing, as blockers: of the model itself, of torch.export, of the graph."""

from fxanchor.model.blockers.stop import stop_of
from fxanchor.model.comparing import Difference
from fxanchor.model.positions import Locator
from fxanchor.model.provenance import trigger_of
from fxanchor.model.report import Blocker
from fxanchor.model.rows import return_trigger
from fxanchor.model.silent.find import silent
from fxanchor.model.symbolic import SymbolicRun


def eager_blocker(error: BaseException, locator: Locator) -> Blocker:
    """The failure of the model itself on its example inputs."""
    return _stopped(
        "eager-failure",
        error,
        locator,
        "The model itself fails on these inputs, without any capturing; correct the inputs or the model first.",
    )


def export_blocker(error: BaseException, locator: Locator) -> Blocker | None:
    """What stopped torch.export; None when no line outside torch is known."""
    found = _stopped(
        "export-failure",
        error,
        locator,
        "torch.export runs the model on tensors without data; it cannot go past this expression.",
    )
    return found if found.line else None


def _stopped(kind: str, error: BaseException, locator: Locator, explanation: str) -> Blocker:
    stop = stop_of(error, locator)
    where = stop.trigger
    return Blocker(
        kind=kind,
        file=where.file if where else "",
        line=where.line if where else 0,
        col=where.col if where else 0,
        end_col=where.end_col if where else 0,
        expression=where.expression if where else "",
        message=stop.message,
        raised_at=stop.raised_at,
        explanation=explanation,
    )


def difference_blocker(difference: Difference, run: SymbolicRun, locator: Locator) -> Blocker:
    """The first node whose result is not that of the model."""
    record = difference.record
    where = None if record is None else trigger_of(record.sites, locator)
    where = where or return_trigger(run.forward, run.returned, locator)
    name = "its result" if record is None else f"node `{record.node.name}`"
    explanation = (
        f"Run on the example inputs, the captured graph differs from the model at {name}: {difference.reason}."
    )
    if where is None:
        return Blocker("differs", "", 0, 0, 0, "", "", None, explanation, silent=True)
    return silent("differs", where, explanation)
