"""Run an entry on a model from the parent, with a second attempt when importing the file ends the process."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from fxanchor.model.process import ChildResult, run_child
from fxanchor.model.sourcefile import read_source
from fxanchor.model.spec import ModelSpec
from fxanchor.progress import Progress, silent

_IMPORTING = "importing "
# What a second attempt needs at least: torch alone takes a few seconds to import.
_LEAST_SECONDS = 8.0


def run_on_model(
    entry: str,
    spec: ModelSpec,
    request: Mapping[str, Any],
    *,
    seconds: float,
    memory_bytes: int | None,
    progress: Progress = silent,
    network: bool = False,
) -> ChildResult:
    """Run an entry that loads a model; the request it gets holds the spec as `model`.

    A file that crashes, ends the process or never comes back while it is imported is tried once more with only its
    imports, definitions and simple constants.

    Args:
        entry: As in `run_child`; it calls `load_model(ModelSpec.from_json(request["model"]), child)`.
        spec: The model.
        request: What else the entry needs, plain JSON values.
        seconds: Wall-clock limit of both attempts together.
        memory_bytes: As in `run_child`.
        progress: As in `run_child`.
        network: As in `run_child`.

    Raises:
        InputError: When the file cannot be read or is not Python; no child is started for that.
    """
    if spec.file:
        read_source(Path(spec.file), spec.file)
    spec = replace(spec, import_seconds=min(spec.import_seconds, seconds / 2))

    def attempt(spec: ModelSpec, seconds: float) -> ChildResult:
        return run_child(
            entry,
            {**request, "model": spec.to_json()},
            seconds=seconds,
            memory_bytes=memory_bytes,
            progress=progress,
            network=network,
        )

    first = attempt(spec, seconds)
    left = seconds - first.seconds
    ended = first.end in {"exited", "killed", "timed out", "out of memory", "too many processes"}
    if not ended or not first.phase.startswith(_IMPORTING) or left < min(_LEAST_SECONDS, seconds / 2):
        return first
    return attempt(replace(spec, not_imported=first.sentence.removesuffix(".").partition(";")[0]), left)
