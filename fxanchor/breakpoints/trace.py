"""`trace` in the parent: look the breakpoints up, let a child process run the model, and take what it proved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fxanchor.breakpoints.proof import Proof, Wanted
from fxanchor.breakpoints.remember import remember_table
from fxanchor.breakpoints.resolved import resolve_catalogue
from fxanchor.breakpoints.states import State, states
from fxanchor.breakpoints.wire import from_plain, to_plain
from fxanchor.model.attempt import run_on_model
from fxanchor.model.report import Capture
from fxanchor.model.spec import ModelSpec, parse_model
from fxanchor.progress import Progress, silent
from fxanchor.source.index import Index

_ENTRY = "fxanchor.breakpoints.child"


@dataclass(frozen=True, slots=True)
class Trace:
    """What a trace found.

    Attributes:
        capture: What became of capturing the model.
        proofs: What a run of the model did with each breakpoint, in the order of the call chain.
        states: What is seen at the breakpoints that show a state of the capture.
        seconds: Wall-clock time of the child process.
    """

    capture: Capture
    proofs: tuple[Proof, ...]
    states: tuple[State, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class TraceRequest:
    """What a trace is asked to do.

    Attributes:
        model: The model, as `parse_model` takes it; so are `args`, `config` and `inputs`.
        args: Arguments of the constructor.
        config: The configuration that the constructor takes first.
        inputs: Example inputs.
        options: Fields of `CaptureOptions` that are plain JSON values.
        seconds: Wall-clock limit of the whole run of the model.
        memory_bytes: Limit of the memory that the run may hold, or None.
        network: Whether the model may open connections.
    """

    model: str
    args: str = ""
    config: str = ""
    inputs: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 300.0
    memory_bytes: int | None = None
    network: bool = False

    def spec(self) -> ModelSpec:
        """Return the model that is asked for.

        Raises:
            UsageError: When the text names no model.
            InputError: When it names a directory, or a file that is no Python file.
        """
        return parse_model(self.model, args=self.args, config=self.config, inputs=self.inputs)


def trace_model(
    request: TraceRequest, index: Index, *, also: Sequence[Wanted] = (), progress: Progress = silent
) -> Trace:
    """Capture a model in a child process and prove the breakpoints of the catalogue on it.

    The breakpoints are remembered as the table last shown for the model, for `debug` to find rows by number.

    Args:
        request: What to do.
        index: The package that captures.
        also: Breakpoints to prove besides those of the catalogue, such as those of a paper's concepts.
        progress: Told what is being done.

    Raises:
        UsageError: When what was named is not there.
        InputError: When the model cannot be loaded, or its process did not come to an end.
    """
    spec = request.spec()
    resolved = resolve_catalogue(index)
    result = run_on_model(
        _ENTRY,
        spec,
        {
            "options": dict(request.options),
            "wanted": to_plain(_joined(resolved.table, also)),
            "facts": to_plain(resolved.facts),
            "site_root": str(resolved.site_root),
        },
        seconds=request.seconds,
        memory_bytes=request.memory_bytes,
        progress=progress,
        network=request.network,
    )
    value = result.unwrap()
    capture = replace(from_plain(Capture, value["capture"]), printed=result.printed)
    proofs = from_plain(tuple[Proof, ...], value["proofs"])
    remember_table(spec, [proof.wanted for proof in proofs])
    return Trace(capture, proofs, states(proofs, resolved.states), result.seconds)


def _joined(table: Sequence[Wanted], also: Sequence[Wanted]) -> tuple[Wanted, ...]:
    """Return the breakpoints of both, each line once: the catalogue's name for it counts."""
    taken = {(one.stop.file, one.stop.line) for one in table if one.stop.line}
    added: dict[tuple[str, int], Wanted] = {}
    for one in also:
        place = (one.stop.file, one.stop.line)
        if one.stop.line and place not in taken:
            added.setdefault(place, one)
    return (*table, *added.values())
