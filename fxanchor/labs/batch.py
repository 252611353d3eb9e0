"""Run named pieces of work in child processes; when one dies, its death is the answer and the rest go on in another."""

import secrets
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fxanchor.errors import InputError
from fxanchor.model.channel import Reader, Record, Recorder
from fxanchor.model.process import run_child
from fxanchor.model.sandbox import Child
from fxanchor.progress import Progress, silent

_JOURNAL_BYTES = 64 * 2**20
_PHASE = "running "


@dataclass(frozen=True, slots=True)
class Died:
    """A piece of work whose process ended before it was done: how (`killed`, `timed out`, `exited`, ...)."""

    end: str


def run_batch(
    entry: str,
    names: Sequence[str],
    request: Mapping[str, Any],
    *,
    seconds: float,
    memory_bytes: int | None,
    progress: Progress = silent,
) -> dict[str, dict[str, Any] | Died]:
    """Run each name by `entry` in as few child processes as their deaths allow.

    Args:
        entry: `package.module:function`, called with `request` and a `Child`. It makes a `Journal` and hands in each
            piece as soon as it is done, in the order of `request["names"]`.
        names: The pieces, each once.
        request: What else the entry needs, plain JSON values.
        seconds: Wall-clock limit of one child process.
        memory_bytes: Limit of its memory, or None.
        progress: Told what runs.

    Returns:
        What was handed in for each name, or how its process died.

    Raises:
        InputError: When a child ends before it begins with a piece.
        UsageError: When the entry says so.
    """
    pending = list(dict.fromkeys(names))
    done: dict[str, dict[str, Any] | Died] = {}
    while pending:
        with tempfile.TemporaryDirectory(prefix="fxanchor-batch-") as folder:
            journal, token = Path(folder) / "journal", secrets.token_hex(16)
            full = {**request, "names": pending, "journal": str(journal), "token": token}
            ended = run_child(entry, full, seconds=seconds, memory_bytes=memory_bytes, progress=progress)
            Reader(journal, token, _JOURNAL_BYTES).poll(_taking(done, pending))
        pending = [name for name in pending if name not in done]
        running = ended.phase.removeprefix(_PHASE)
        if running in pending:
            done[running] = Died(ended.end)
            pending.remove(running)
        elif pending:
            ended.unwrap()
            raise InputError("The child process ended without a result; run one piece by name to see why.")
    return done


class Journal:
    """The child's end: says which piece runs, and hands in what came of it.

    Args:
        request: What the entry was called with.
        child: What the entry was called with.
    """

    def __init__(self, request: Mapping[str, Any], child: Child) -> None:
        self._recorder = Recorder(Path(request["journal"]), request["token"])
        self._child = child

    def begin(self, name: str) -> None:
        """Say that a piece begins."""
        self._child.phase(_PHASE + name)

    def hand_in(self, name: str, value: Mapping[str, Any]) -> None:
        """Hand in a piece: plain JSON values."""
        self._recorder.write("piece", {"name": name, "value": dict(value)})


def _taking(done: dict[str, dict[str, Any] | Died], names: Sequence[str]) -> Callable[[Record], None]:
    def take(record: Record) -> None:
        name, value = record.body.get("name"), record.body.get("value")
        if isinstance(name, str) and name in names and isinstance(value, dict):
            done[name] = value

    return take
