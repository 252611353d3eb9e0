"""From what a person wants to see to the stops of a debugging session; pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fxanchor.breakpoints.gate import PlannedStop
from fxanchor.breakpoints.moments import Moment, about
from fxanchor.breakpoints.proof import Wanted
from fxanchor.errors import UsageError
from fxanchor.model.report import NodeRow, Trigger

_MOST_LISTED = 12


@dataclass(frozen=True, slots=True)
class Focus:
    """Which nodes a session is about; all when both are empty.

    Attributes:
        node: A node's name, a target such as `layer1.0.conv1`, or the path of a module.
        op: An opcode.
    """

    node: str = ""
    op: str = ""


def focus_nodes(focus: Focus, rows: Sequence[NodeRow]) -> frozenset[str] | None:
    """Return the names of the nodes that a focus means, or None for no focus.

    Args:
        focus: What was asked for.
        rows: The captured nodes.

    Raises:
        UsageError: When no node is meant; the sentence lists what there is.
    """
    if not focus.node and not focus.op:
        return None
    chosen = [row for row in rows if not focus.op or row.op == focus.op]
    if not chosen:
        ops = ", ".join(sorted({row.op for row in rows}))
        raise UsageError(f"No node of this model is a {focus.op}; there are {ops}.")
    if not focus.node:
        return frozenset(row.name for row in chosen)
    for matches in (_named, _targeting, _within):
        if names := frozenset(row.name for row in chosen if matches(row, focus.node)):
            return names
    listed = ", ".join(row.name for row in chosen[:_MOST_LISTED]) + (", ..." if len(chosen) > _MOST_LISTED else "")
    raise UsageError(f"No node of this model is {focus.node!r}; there are {listed}.")


def plan_stop(
    wanted: Wanted,
    moments: Sequence[Moment],
    nodes: frozenset[str] | None,
    triggers: Mapping[str, Trigger | None],
    site_root: Path,
) -> PlannedStop:
    """Return the stop that a breakpoint becomes.

    Args:
        wanted: The breakpoint.
        moments: The calls that reach it in a run of the model, in order.
        nodes: The nodes that the session is about, or None for all.
        triggers: The user's expression behind each node.
        site_root: Directory that the files of breakpoints are relative to.

    Raises:
        UsageError: When the run never reaches it, or no visit is about one of the nodes.
    """
    if not moments:
        reason = f": {wanted.unreached}" if wanted.unreached else ""
        raise UsageError(f"The capture of this model never reaches {wanted.concept}{reason}; choose another one.")
    calls = None if nodes is None else frozenset(about(moments, nodes))
    if calls is not None and not calls:
        names = ", ".join(sorted(nodes or ())[:3])
        raise UsageError(f"{wanted.concept} is reached {len(moments)} times, but never for {names}; name another stop.")
    return PlannedStop(
        concept=wanted.concept,
        path=str(site_root / wanted.stop.file),
        shown=_shown(wanted.stop.file),
        line=wanted.stop.line,
        watches=wanted.watches,
        calls=calls,
        labels=tuple(_label(moment, nodes, triggers) for moment in moments),
    )


def _label(moment: Moment, nodes: frozenset[str] | None, triggers: Mapping[str, Trigger | None]) -> str:
    if nodes is None:
        about_one = moment.during or moment.outer
        meant = about_one if len(about_one) == 1 else []
    else:
        meant = [node for node in moment.nodes if node in nodes]
    if not meant:
        return ""
    trigger = triggers.get(meant[0])
    place = f"  {trigger.file}:{trigger.line}:{trigger.col}  {trigger.expression}" if trigger else ""
    return f"node {meant[0]}{place}"


def _shown(file: str) -> str:
    path = Path(file)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        return path.relative_to(Path.cwd()).as_posix()
    return file


def _named(row: NodeRow, text: str) -> bool:
    return row.name == text


def _targeting(row: NodeRow, text: str) -> bool:
    return row.target == text


def _within(row: NodeRow, text: str) -> bool:
    return row.module_path == text or row.module_path.startswith(f"{text}.")
