"""Transform a model in a child process and return what every pass did."""

from collections.abc import Mapping, Sequence
from typing import Any

from fxanchor.labs.transform.report import Change, Comparison, Failure, Match, Stage, StateChange, TransformReport
from fxanchor.model.process import run_child
from fxanchor.model.report import Trigger
from fxanchor.model.spec import ModelSpec
from fxanchor.progress import Progress, silent


def transform_model(
    model: ModelSpec,
    passes: Sequence[str],
    *,
    matches: str = "",
    tolerance: float = 1e-5,
    seconds: float = 300.0,
    memory_bytes: int | None = None,
    progress: Progress = silent,
) -> TransformReport:
    """Run a pipeline of passes on a model and return what each did.

    Args:
        model: The model; its `inputs` are what results are compared on.
        passes: `file.py:Name` each, in order; there may be none when only `matches` is wanted.
        matches: A target, or `file.py:predicate`, or "".
        tolerance: Difference allowed between results, absolute plus relative to the model's value.
        seconds: Wall-clock limit of the child process.
        memory_bytes: Limit of its memory, or None.
        progress: Told the phases.

    Raises:
        InputError: When the model or a pass cannot be loaded, or the child process ends without an answer.
        UsageError: When the model, a pass or the pattern is not what was asked for.
        CaptureError: When symbolic_trace cannot capture the model.
    """
    request = {"model": model.to_json(), "passes": list(passes), "matches": matches, "tolerance": tolerance}
    ended = run_child(
        "fxanchor.labs.transform.child:run", request, seconds=seconds, memory_bytes=memory_bytes, progress=progress
    )
    return read_report(ended.unwrap())


def read_report(value: Mapping[str, Any]) -> TransformReport:
    """Return the report that the child process wrote as plain JSON values."""
    return TransformReport(
        file=value["file"],
        target=value["target"],
        built_by=value["built_by"],
        stages=tuple(_stage(each) for each in value["stages"]),
        not_run=tuple(value["not_run"]),
        matches=tuple(Match(**{**each, "trigger": _trigger(each["trigger"])}) for each in value["matches"]),
        code=value["code"],
        notes=tuple(value["notes"]),
    )


def _stage(value: Mapping[str, Any]) -> Stage:
    changed = {
        "failure": _failure(value["failure"]),
        "changes": tuple(
            Change(**{**each, "trigger": _trigger(each["trigger"]), "made_at": _trigger(each["made_at"])})
            for each in value["changes"]
        ),
        "dead": tuple(value["dead"]),
        "state": tuple(StateChange(**each) for each in value["state"]),
        "comparison": _comparison(value["comparison"]),
    }
    return Stage(**{**value, **changed})


def _comparison(value: Mapping[str, Any] | None) -> Comparison | None:
    if value is None:
        return None
    return Comparison(**{**value, "absolute": float(value["absolute"]), "relative": float(value["relative"])})


def _failure(value: Mapping[str, Any] | None) -> Failure | None:
    if value is None:
        return None
    return Failure(**{**value, "trigger": _trigger(value["trigger"]), "at": _trigger(value["at"])})


def _trigger(value: Mapping[str, Any] | None) -> Trigger | None:
    return None if value is None else Trigger(**value)
