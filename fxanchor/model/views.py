"""A capture looked at in other orders than that of its nodes: folded by module, and by line of the user's source."""

from collections.abc import Sequence
from dataclasses import dataclass

from fxanchor.model.report import Capture, ModuleRow, NodeRow


@dataclass(frozen=True, slots=True)
class ModuleFold:
    """A module with what was recorded in it.

    Attributes:
        path: Its path, "" for the root.
        type: Name of its class, "" when it is not known.
        depth: How deep it is, 0 for the root.
        opened: Whether the trace went into it.
        parameters: Number of values in its parameters.
        nodes: Number of nodes recorded in it or below it.
        shape: Shape of the last result in it, or None when unknown.
    """

    path: str
    type: str
    depth: int
    opened: bool
    parameters: int
    nodes: int
    shape: tuple[int | str, ...] | None


@dataclass(frozen=True, slots=True)
class LineFold:
    """A line of source with the nodes that its expressions made.

    Attributes:
        file: As in `Trigger`.
        line: 1-based.
        spans: Columns of the expressions on that line, from and to, in order and without repeats; to -1 where one
            goes on below the line.
        nodes: The nodes, in order.
    """

    file: str
    line: int
    spans: tuple[tuple[int, int], ...]
    nodes: tuple[NodeRow, ...]


def by_module(capture: Capture) -> tuple[ModuleFold, ...]:
    """Fold the nodes of a capture by module, in the order in which the modules first ran."""
    known = {row.path: row for row in capture.modules}
    paths: dict[str, list[NodeRow]] = {"": []}
    for row in capture.modules:
        paths.setdefault(row.path, [])
    for node in capture.nodes:
        if node.op in ("placeholder", "output"):
            continue
        for path in _enclosing(node.target if node.op == "call_module" else node.module_path):
            paths.setdefault(path, []).append(node)
    return tuple(_fold(path, known.get(path), nodes) for path, nodes in paths.items())


def _enclosing(path: str) -> list[str]:
    """A path and all paths around it, the root first."""
    parts = path.split(".") if path else []
    return ["", *(".".join(parts[: length + 1]) for length in range(len(parts)))]


def _fold(path: str, row: ModuleRow | None, nodes: Sequence[NodeRow]) -> ModuleFold:
    shapes = [node.shape for node in nodes if node.shape is not None]
    return ModuleFold(
        path=path,
        type="" if row is None else row.type,
        depth=path.count(".") + 1 if path else 0,
        opened=row is None or row.opened,
        parameters=0 if row is None else row.parameters,
        nodes=len(nodes),
        shape=shapes[-1] if shapes else None,
    )


def by_line(capture: Capture) -> tuple[LineFold, ...]:
    """Fold the nodes of a capture by the line that their expressions begin on, by file and line."""
    lines: dict[tuple[str, int], list[NodeRow]] = {}
    for node in capture.nodes:
        if node.trigger is not None:
            lines.setdefault((node.trigger.file, node.trigger.line), []).append(node)
    return tuple(LineFold(file, line, _spans(nodes), tuple(nodes)) for (file, line), nodes in sorted(lines.items()))


def _spans(nodes: Sequence[NodeRow]) -> tuple[tuple[int, int], ...]:
    """The columns of the expressions of nodes."""
    found = {
        (node.trigger.col, node.trigger.end_col if node.trigger.end_line == node.trigger.line else -1)
        for node in nodes
        if node.trigger is not None
    }
    return tuple(sorted(found))
