"""Run labs on the installed torch, in child processes so that none can break the others or the program."""

from collections.abc import Mapping, Sequence
from typing import Any

from fxanchor.labs.batch import Died, run_batch
from fxanchor.labs.lab import Lab, LabResult, Observation
from fxanchor.model.spec import ModelSpec
from fxanchor.progress import Progress, silent


def run_labs(
    labs: Sequence[Lab],
    *,
    model: ModelSpec | None = None,
    seconds: float = 120.0,
    memory_bytes: int | None = None,
    progress: Progress = silent,
) -> tuple[LabResult, ...]:
    """Run labs and return what came of each, in the order given.

    Args:
        labs: From `find_labs` or `all_labs`.
        model: The reader's model, for the labs that use one; None for the sample model.
        seconds: Wall-clock limit of one child process; there is one, unless a lab kills it.
        memory_bytes: Limit of its memory, or None.
        progress: Told which lab runs.

    Raises:
        InputError: When the model cannot be loaded, or torch cannot be imported.
        UsageError: When the model is not what was asked for.
    """
    done = run_batch(
        "fxanchor.labs.child:run",
        [lab.name for lab in labs],
        {"model": model.to_json() if model else None},
        seconds=seconds,
        memory_bytes=memory_bytes,
        progress=progress,
    )
    version = next((value["torch"] for value in done.values() if not isinstance(value, Died)), "")
    return tuple(_result(lab, done[lab.name], lab.uses_model and model is not None, version) for lab in labs)


def _result(lab: Lab, value: Mapping[str, Any] | Died, foreign: bool, version: str) -> LabResult:
    if isinstance(value, Died):
        reason = f"its process ended early: {value.end}"
        return LabResult(lab, "not applicable" if foreign else "changed since", (), reason, version)
    return LabResult(
        lab=lab,
        verdict=value["verdict"],
        observations=tuple(Observation(what, seen, agrees) for what, seen, agrees in value["observations"]),
        reason=value["reason"],
        torch=value["torch"],
    )
