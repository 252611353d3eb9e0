"""Failures that are no stops of symbolic tracing, as blockers: of the model itself, of torch.export, of the graph."""

from fxanchor.model.blockers.stop import stop_of
from fxanchor.model.comparing import Difference
from fxanchor.model.exporting import ExportRun
from fxanchor.model.positions import Locator
from fxanchor.model.provenance import trigger_of
from fxanchor.model.report import Blocker, Trigger
from fxanchor.model.rows import return_trigger
from fxanchor.model.silent.find import silent
from fxanchor.model.symbolic import SymbolicRun

# What torch.export says of a result that holds an object which is no tensor and no container it knows.
_OF_THE_RESULT = "in output, which is not a known type"


def eager_blocker(error: BaseException, locator: Locator) -> Blocker:
    """The failure of the model itself on its example inputs."""
    return _stopped(
        "eager-failure",
        error,
        locator,
        "The model itself fails on these inputs, without any capturing; correct the inputs or the model first.",
    )


def export_blocker(error: BaseException, run: ExportRun, locator: Locator, home: Trigger | None) -> Blocker:
    """What stopped torch.export.

    Args:
        error: The exception.
        run: The export.
        locator: Finds positions.
        home: The place that stands for the model as a whole, or None.
    """
    explanation = "torch.export runs the model on tensors without data; it cannot go past this expression."
    found = _stopped("export-failure", error, locator, explanation)
    if found.line:
        return found
    if _OF_THE_RESULT in found.message:
        explanation = (
            "The model returns an object that torch.export cannot take apart; return tensors, tuples, lists or "
            "dictionaries of them, or register its class with torch.utils._pytree.register_pytree_node."
        )
        home = return_trigger(run.forward, run.returned, locator) or home
    else:
        explanation = "torch.export refuses the model as a whole, outside any line of it."
    return _stopped("export-failure", error, locator, explanation, home)


def _stopped(
    kind: str, error: BaseException, locator: Locator, explanation: str, otherwise: Trigger | None = None
) -> Blocker:
    stop = stop_of(error, locator)
    where = stop.trigger or otherwise
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
