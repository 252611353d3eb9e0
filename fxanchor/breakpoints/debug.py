"""`debug`: load a model here, find the moments a person asked for, and open a debugger at them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fxanchor.breakpoints.choose import choose
from fxanchor.breakpoints.foreground import Foreground, load
from fxanchor.breakpoints.gate import PlannedStop
from fxanchor.breakpoints.generated import map_lines, run_from, stable_path, write_code
from fxanchor.breakpoints.plan import Focus, focus_nodes, plan_stop
from fxanchor.breakpoints.proof import Wanted
from fxanchor.breakpoints.recording import Value
from fxanchor.breakpoints.remember import last_table
from fxanchor.breakpoints.resolved import Resolved
from fxanchor.breakpoints.session import Debugger, Outcome, run_session
from fxanchor.errors import UsageError
from fxanchor.model.report import Capture
from fxanchor.model.spec import ModelSpec

if TYPE_CHECKING:
    from fxanchor.breakpoints.proving import ModelRun

GENERATED = "generated"


@dataclass(frozen=True, slots=True)
class DebugRequest:
    """What a person wants to see.

    Attributes:
        spec: The model.
        at: Where to stop, each as `choose` takes it, or `generated` for the forward that the capture generates.
        focus: Which nodes to stop for.
        when: A condition that must hold at a stop, or "".
        debugger: Which debugger to open.
        port: For debugpy: the port to listen on, 0 for any.
        concrete_args: Arguments of forward that are taken as constants, or None.
        generated_file: Where to write the generated code, or None for a place in the cache.
    """

    spec: ModelSpec
    at: tuple[str, ...] = ()
    focus: Focus = field(default_factory=Focus)
    when: str = ""
    debugger: Debugger = "pdb"
    port: int = 0
    concrete_args: Mapping[str, Value] | None = None
    generated_file: Path | None = None


def debug_model(request: DebugRequest, resolved: Resolved, say: Callable[[str], None]) -> Outcome:
    """Run the capture of a model in the foreground and open a debugger where it was asked to.

    The model is traced once beforehand, to find out at which calls its nodes are made.

    Args:
        request: What is wanted.
        resolved: The breakpoints of the catalogue.
        say: Told what is being done, for a person who waits.

    Raises:
        FxanchorError: When the model cannot be loaded, a place is unknown, or the run never comes there.
    """
    from fxanchor.breakpoints.proving import ModelRun
    from fxanchor.breakpoints.watch import Watcher

    _check_condition(request.when)
    places = request.at or (resolved.facts.first_stop,)
    rows = last_table(request.spec)
    wanted = [
        choose(text, resolved.table, resolved.functions, resolved.site_root, rows)
        for text in places
        if text != GENERATED
    ]
    here = load(request.spec, say, request.concrete_args)
    nodes = focus_nodes(request.focus, here.capture.nodes)
    model = ModelRun(here.module, resolved.facts, request.concrete_args)
    planned = _plan(model, wanted, resolved, here.capture, nodes)
    run: Callable[[], object] = model.call
    if GENERATED in places:
        stops, run = _generated(request, here, model, nodes)
        planned += stops
    watcher = Watcher(model.recording, (resolved.site_root, Path.cwd()))
    if request.debugger == "debugpy":
        from fxanchor.breakpoints.remote import run_remote

        return run_remote(run, planned, watcher, say, request.when, port=request.port)
    return run_session(run, planned, watcher, request.debugger, request.when)


def _check_condition(when: str) -> None:
    """Refuse a condition that can never be looked at, before a model is built for it."""
    from fxanchor.breakpoints.watch import WatchRefusedError, compile_watch

    try:
        compile_watch(when or "True")
    except WatchRefusedError as refused:
        raise UsageError(f"The condition {when!r} is refused, because {refused}. Give one that only looks.") from None


def _plan(
    model: "ModelRun", wanted: Sequence[Wanted], resolved: Resolved, capture: Capture, nodes: frozenset[str] | None
) -> list[PlannedStop]:
    from fxanchor.breakpoints.proving import prove

    making = [one for one in resolved.table if one.concept == resolved.facts.made_at]
    proven = prove(model, [*wanted, *making], resolved, lambda: capture, following=True)
    triggers = {node.name: node.trigger for node in capture.nodes}
    return [
        plan_stop(one, moments, nodes, triggers, resolved.site_root)
        for one, moments in zip(wanted, proven.moments, strict=False)
    ]


def _generated(
    request: DebugRequest, here: Foreground, model: "ModelRun", nodes: frozenset[str] | None
) -> tuple[list[PlannedStop], Callable[[], object]]:
    """Plan stops in the generated forward: at the lines of the nodes, or at its first line that computes something."""
    if not here.capture.code:
        raise UsageError("This model has no generated code, because symbolic tracing stopped; see fxanchor trace.")
    if here.inputs is None:
        raise UsageError("Running the generated code needs inputs; give them with --input, such as 1x3x224x224.")
    path = request.generated_file or stable_path(f"{here.capture.file}:{here.capture.target}")
    path = path.absolute()
    write_code(here.capture.code, path)
    lines = [line for line in map_lines(here.capture.code, here.capture.nodes) if line.node.op != "placeholder"]
    chosen = [line for line in lines if nodes is None or line.node.name in nodes]
    if nodes is None:
        chosen = chosen[:1]
    if not chosen:
        raise UsageError("The generated code has no line for that node, because it is an argument; name another node.")
    args, kwargs = here.inputs
    planned = []
    for line in chosen:
        trigger = line.node.trigger
        origin = f"  {trigger.file}:{trigger.line}:{trigger.col}  {trigger.expression}" if trigger else ""
        label = f"node {line.node.name}{origin}"
        planned.append(PlannedStop("generated code", str(path), path.name, line.line, line.node.inputs, None, (label,)))

    def run() -> object:
        module = model.call()
        run_from(module, here.capture.code, path)
        return module(*args, **kwargs)

    return planned, run
