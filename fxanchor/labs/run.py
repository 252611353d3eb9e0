"""Run labs in child processes, so that none can break the others or the program."""

import secrets
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from fxanchor.errors import InputError
from fxanchor.labs.lab import Lab, LabResult, Observation
from fxanchor.model.channel import Reader, Record
from fxanchor.model.process import run_child
from fxanchor.model.spec import ModelSpec
from fxanchor.progress import Progress, silent

_JOURNAL_BYTES = 64 * 2**20
_PHASE = "running the lab "


def run_labs(
    labs: Sequence[Lab],
    *,
    model: ModelSpec | None = None,
    seconds: float = 120.0,
    memory_bytes: int | None = None,
    progress: Progress = silent,
) -> tuple[LabResult, ...]:
    """Run labs on the installed torch and return what came of each, in the order given.

    One child process runs them all. When it dies, the lab that was running gets the verdict that fits, and the
    rest run in a new one.

    Args:
        labs: From `find_labs` or `all_labs`.
        model: The reader's model, for the labs that use one; None for the sample model.
        seconds: Wall-clock limit of one child process.
        memory_bytes: Limit of its memory, or None.
        progress: Told which lab runs.

    Raises:
        InputError: When the model cannot be loaded, or torch cannot be imported.
        UsageError: When the model is not what was asked for.
    """
    pending = {lab.name: lab for lab in labs}
    done: dict[str, LabResult] = {}
    while pending:
        with tempfile.TemporaryDirectory(prefix="fxanchor-labs-") as folder:
            journal, token = Path(folder) / "journal", secrets.token_hex(16)
            request = {
                "labs": list(pending),
                "model": model.to_json() if model else None,
                "journal": str(journal),
                "token": token,
            }
            ended = run_child(
                "fxanchor.labs.child:run", request, seconds=seconds, memory_bytes=memory_bytes, progress=progress
            )
            records: list[dict[str, Any]] = []
            Reader(journal, token, _JOURNAL_BYTES).poll(_collect(records))
        for record in records:
            if lab := pending.pop(str(record.get("name")), None):
                done[lab.name] = _result(lab, record)
        if not pending:
            break
        running = pending.pop(ended.phase.removeprefix(_PHASE), None)
        if running is None:
            ended.unwrap()
            raise InputError("The labs ended without a result; run one of them by name to see why.")
        foreign = running.uses_model and model is not None
        done[running.name] = LabResult(
            lab=running,
            verdict="not applicable" if foreign else "changed since",
            observations=(),
            reason=f"its process ended early: {ended.end}",
            torch=next((result.torch for result in done.values()), ""),
        )
    return tuple(done[lab.name] for lab in labs)


def _collect(records: list[dict[str, Any]]) -> Callable[[Record], None]:
    def take(record: Record) -> None:
        records.append(record.body)

    return take


def _result(lab: Lab, record: dict[str, Any]) -> LabResult:
    return LabResult(
        lab=lab,
        verdict=record["verdict"],
        observations=tuple(Observation(what, seen, agrees) for what, seen, agrees in record["observations"]),
        reason=record["reason"],
        torch=record["torch"],
    )
