"""The graph of a captured model as Graphviz, mermaid or SVG, its nodes grouped by the module they ran in."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape as html_escape
from pathlib import Path

from fxanchor.errors import UsageError
from fxanchor.model.report import NodeRow
from fxanchor.sheet.escape import plain, shortened

FORMATS = (".svg", ".dot", ".mmd")

_ROW = 22
_INDENT = 14
_TEXT = 7.2
_ARC = 9
_LANES = 16
_COLOURS = {
    "placeholder": "#4c78a8",
    "call_module": "#54a24b",
    "call_function": "#f58518",
    "call_method": "#e45756",
    "get_attr": "#9d755d",
    "output": "#4c78a8",
}


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of the drawing: a module that begins, or a node."""

    depth: int
    text: str
    node: NodeRow | None


def draw_graph(nodes: Sequence[NodeRow], path: Path) -> str:
    """Return the drawing that fits a file name.

    Args:
        nodes: The nodes, in order.
        path: The file to be written; its ending says in which language: `.svg`, `.dot` or `.mmd`.

    Raises:
        UsageError: For another ending.
    """
    writers = {".svg": _svg, ".dot": _dot, ".mmd": _mermaid}
    writer = writers.get(path.suffix.lower())
    if writer is None:
        raise UsageError(f"Cannot draw {path.name}: name a file that ends in {', '.join(FORMATS)}.")
    return "\n".join(writer(nodes)) + "\n"


def _module_of(node: NodeRow) -> tuple[str, ...]:
    """Return the path of the module a node is drawn in: the one around a called module, else the one that ran."""
    path = node.target.rpartition(".")[0] if node.op == "call_module" else node.module_path
    return tuple(path.split(".")) if path else ()


def _lines(nodes: Sequence[NodeRow]) -> Iterator[_Line]:
    """Give nodes in their order, with a line wherever another module begins."""
    inside: tuple[str, ...] = ()
    for node in nodes:
        module = _module_of(node)
        shared = 0
        while shared < min(len(inside), len(module)) and inside[shared] == module[shared]:
            shared += 1
        for depth in range(shared, len(module)):
            yield _Line(depth, ".".join(module[: depth + 1]), None)
        inside = module
        yield _Line(len(module), _label(node), node)


def _label(node: NodeRow) -> str:
    shape = "" if node.shape is None else f"  {node.dtype}[{', '.join(map(str, node.shape))}]"
    said = node.name if node.target == node.name else f"{node.name}  {node.target}"
    return shortened(f"{said}{shape}", 90)


def _svg(nodes: Sequence[NodeRow]) -> Iterator[str]:
    lines = list(_lines(nodes))
    at = {line.node.name: row for row, line in enumerate(lines) if line.node is not None}
    right = max((_INDENT * line.depth + _TEXT * len(line.text) for line in lines), default=100) + 56
    edges = [(at[source], at[node.name]) for node in nodes for source in node.inputs if source in at]
    lanes = _lanes(edges)
    width = right + _ARC * (max(lanes.values(), default=0) + 2)
    height = _ROW * len(lines) + 20
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}" font-family="monospace" font-size="12">'
    )
    yield '<rect width="100%" height="100%" fill="#ffffff"/>'
    yield from _module_bands(lines, right)
    for (source, target), lane in lanes.items():
        yield _arc(source, target, right, lane)
    for row, line in enumerate(lines):
        yield _svg_line(row, line)
    yield "</svg>"


def _lanes(edges: Sequence[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """Give every edge a lane beside the nodes, so that edges that overlap do not lie on each other."""
    lanes: dict[tuple[int, int], int] = {}
    taken: list[int] = []
    for source, target in sorted(dict.fromkeys(edges), key=lambda edge: (edge[1] - edge[0], edge)):
        if target - source == 1:
            lanes[source, target] = 0
            continue
        lane = next((number for number, free in enumerate(taken) if free <= source), len(taken))
        if lane == len(taken):
            taken.append(0)
        taken[lane] = target
        lanes[source, target] = min(lane + 1, _LANES)
    return lanes


def _module_bands(lines: Sequence[_Line], right: float) -> Iterator[str]:
    """Draw a band behind the lines of each module."""
    for row, line in enumerate(lines):
        if line.node is not None:
            continue
        end = next((other for other in range(row + 1, len(lines)) if lines[other].depth <= line.depth), len(lines))
        left = 6 + _INDENT * line.depth
        yield (
            f'<rect x="{left}" y="{10 + _ROW * row}" width="{right - left - 12:.0f}" '
            f'height="{_ROW * (end - row) - 3}" rx="4" fill="#000000" fill-opacity="0.04"/>'
        )


def _svg_line(row: int, line: _Line) -> str:
    x, y = 16 + _INDENT * line.depth, 10 + _ROW * row + 15
    text = html_escape(plain(line.text))
    if line.node is None:
        return f'<text x="{x}" y="{y}" font-weight="bold" fill="#444444">{text}</text>'
    colour = _COLOURS.get(line.node.op, "#777777")
    trigger = line.node.trigger
    place = f"{trigger.file}:{trigger.line} {trigger.expression}" if trigger else ""
    tip = html_escape(plain(f"{line.node.op} {place}"))
    return (
        f'<g><title>{tip}</title><circle cx="{x + 3}" cy="{y - 4}" r="4" fill="{colour}"/>'
        f'<text x="{x + 14}" y="{y}">{text}</text></g>'
    )


def _arc(source: int, target: int, right: float, lane: int) -> str:
    y0, y1 = 10 + _ROW * source + 11, 10 + _ROW * target + 11
    x = right + _ARC * lane
    return (
        f'<path d="M {right - 8:.0f} {y0} C {x + 6:.0f} {y0}, {x + 6:.0f} {y1}, {right - 8:.0f} {y1}" '
        'fill="none" stroke="#888888"/>'
        f'<path d="M {right - 8:.0f} {y1} l 6 -3 l 0 6 z" fill="#888888"/>'
    )


def _dot(nodes: Sequence[NodeRow]) -> Iterator[str]:
    yield "digraph model {"
    yield '  rankdir=TB; node [shape=box, style="rounded,filled", fillcolor="#ffffff", fontname="monospace"];'
    yield from _clusters(nodes, (), 1)
    names = {node.name for node in nodes}
    for node in nodes:
        for source in node.inputs:
            if source in names:
                yield f"  {_quoted(source)} -> {_quoted(node.name)};"
    yield "}"


def _clusters(nodes: Sequence[NodeRow], module: tuple[str, ...], depth: int) -> Iterator[str]:
    pad = "  " * depth
    inner: dict[str, list[NodeRow]] = {}
    for node in nodes:
        path = _module_of(node)
        if path == module:
            colour = _COLOURS.get(node.op, "#777777")
            yield f"{pad}{_quoted(node.name)} [label={_quoted(_label(node))}, color={_quoted(colour)}];"
        else:
            inner.setdefault(path[len(module)], []).append(node)
    for part, inside in inner.items():
        path = (*module, part)
        yield f"{pad}subgraph {_quoted('cluster_' + '.'.join(path))} {{"
        yield f"{pad}  label={_quoted('.'.join(path))}; color={_quoted('#cccccc')};"
        yield from _clusters(inside, path, depth + 1)
        yield f"{pad}}}"


def _mermaid(nodes: Sequence[NodeRow]) -> Iterator[str]:
    from fxanchor.sheet.study.mermaid import model_graph

    # The fences are markdown's, not mermaid's.
    yield from list(model_graph(nodes))[1:-1]


def _quoted(text: str) -> str:
    return '"' + plain(text).replace("\\", "\\\\").replace('"', '\\"') + '"'
