"""What `trace` found as tables: the nodes with the user's lines, the breakpoints, and what is seen there."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fxanchor.breakpoints.states import State
from fxanchor.model.report import Capture, NodeRow, Trigger
from fxanchor.sheet.anchors import Anchor, inside_module
from fxanchor.sheet.escape import shortened
from fxanchor.sheet.mapping import short_path
from fxanchor.sheet.table import Cell, Column, Style, Table

if TYPE_CHECKING:
    from fxanchor.source.index import Index

_PROOF_STYLES: dict[str, Style] = {"hit": "good", "not reached": "warn", "not watched": "warn", "not executable": "dim"}
_RUNG_NAMES = {"symbolic_trace": "symbolic_trace", "export": "torch.export", "eager": "eager recording"}
_EXPRESSION = 60


def trace_heading(capture: Capture) -> str:
    """Return the line above the tables: which model, built how, captured by what."""
    name = f"{capture.file}:{capture.target}" if capture.target else capture.file
    built = f", built by {capture.built_by}" if capture.built_by else ""
    count = len(capture.nodes)
    things = f"{count} {'operation' if capture.rung == 'eager' else 'node'}{'' if count == 1 else 's'}"
    if capture.ok:
        return f"{name}{built}  ·  captured by {_RUNG_NAMES[capture.rung]}, {things}"
    reached = f", {things} until it stopped" if count else ""
    return f"{name}{built}  ·  not captured{reached}"


def own_file(capture: Capture) -> str:
    """Return the model's file as its triggers spell it: relative to the working directory, or to a site directory."""
    given = Path(capture.file).resolve()
    spelled = {node.trigger.file for node in capture.nodes if node.trigger is not None}
    here = [file for file in sorted(spelled) if Path(file).resolve() == given]
    installed = [file for file in sorted(spelled) if given.as_posix().endswith(f"/{file}")]
    return next(iter([*here, *installed]), capture.file)


def node_table(capture: Capture) -> Table:
    """Return a row for every captured operation."""
    own = own_file(capture)
    shapes = any(node.shape is not None for node in capture.nodes)
    columns = [Column("node", least=8), Column("op", whole=True), Column("target", least=8)]
    columns += [Column("mechanism", least=9)]
    if shapes:
        columns.append(Column("shape", least=8))
    columns.append(Column(f"{own}, line:column", least=18))
    rows = tuple(tuple(_node_cells(node, own, shapes=shapes)) for node in capture.nodes)
    return Table(tuple(columns), rows)


def anchor_table(
    anchors: Sequence[Anchor], index: "Index", *, own: str = "", with_paper: bool, narrow: bool = False
) -> Table:
    """Return the concept-code-breakpoint table; its row numbers are those that `debug --at` takes.

    Args:
        anchors: The breakpoints.
        index: Definitions of the package.
        own: The model's file, which is named once, in the heading.
        with_paper: Whether to show where the paper speaks of them.
        narrow: Whether to leave the definitions out, for a narrow terminal.
    """
    columns = [Column("#", whole=True), Column("concept", least=12)]
    if with_paper:
        columns.append(Column("paper", least=6))
    if not narrow:
        columns.append(Column("definition", least=14))
    columns += [
        Column("break at", whole=True),
        Column("proof", least=7),
        Column("first set off by", least=16),
    ]
    rows = []
    for number, anchor in enumerate(anchors, 1):
        stop = anchor.proof.wanted.stop
        row = [Cell(str(number), "dim"), Cell(anchor.name, "name")]
        if with_paper:
            row.append(Cell(paper_places(anchor), "dim"))
        if not narrow:
            permalink = index.permalink(anchor.definition) if anchor.definition else ""
            row.append(Cell(inside_module(stop.symbol, index), code=True, url=permalink))
        row += [
            Cell(
                f"{short_path(stop, index)}:{stop.line}" if stop.line else "-",
                "path",
                code=True,
                place=(stop.file, stop.line) if stop.line else None,
            ),
            Cell(proof_words(anchor), _PROOF_STYLES[anchor.proof.kind]),
            trigger_cell(anchor.proof.first_trigger, own, anchor.proof.reason),
        ]
        rows.append(tuple(row))
    return Table(tuple(columns), tuple(rows))


def watch_table(anchors: Sequence[Anchor], states: Sequence[State], index: "Index") -> Table:
    """Return the table of what is seen at the first stop of each breakpoint that was hit.

    Args:
        anchors: The breakpoints.
        states: What some of them show of the capture, in words.
        index: Definitions of the package.
    """
    words = {state.proof.wanted.concept: f": {state.state}" for state in states}
    rows = []
    for anchor in anchors:
        stop = anchor.proof.wanted.stop
        for position, seen in enumerate(anchor.proof.watch):
            at = f"{short_path(stop, index)}:{stop.line}" if position == 0 else ""
            rows.append(
                (
                    Cell(f"{anchor.name}{words.get(anchor.name, '')}" if position == 0 else "", "name"),
                    Cell(at, "path", code=True),
                    Cell(seen.expression, code=True),
                    Cell(shortened(seen.value, 160), code=True),
                )
            )
    columns = (
        Column("what you see when you stop here", least=14),
        Column("line", whole=True),
        Column("expression", least=14),
        Column("value at the first stop", least=16),
    )
    return Table(columns, tuple(rows))


def trigger_words(trigger: Trigger | None, own: str = "") -> str:
    """Return a trigger in short: `net.py:13:8  self.lin(x)`, or `13:8  self.lin(x)` in the model's own file."""
    if trigger is None:
        return ""
    file = "" if trigger.file == own else f"{trigger.file}:"
    return f"{file}{trigger.line}:{trigger.col}  {shortened(trigger.expression, _EXPRESSION)}"


def trigger_cell(trigger: Trigger | None, own: str, otherwise: str = "") -> Cell:
    """Return the cell of a trigger, which opens in an editor; `otherwise` when there is none."""
    if trigger is None:
        return Cell(otherwise)
    return Cell(trigger_words(trigger, own), place=(trigger.file, trigger.line))


def proof_words(anchor: Anchor) -> str:
    """Return what the run did with a breakpoint, in short."""
    proof = anchor.proof
    if proof.kind == "hit":
        return f"{proof.hits} hit{'' if proof.hits == 1 else 's'}"
    return proof.kind


def paper_places(anchor: Anchor, most: int = 2) -> str:
    """Return the sections and pages in which the paper speaks of an anchor: `5.2 p6, 4.1 p5`."""
    places = dict.fromkeys(f"{mention.section} p{mention.page}".strip() for mention in anchor.mentions)
    shown = list(places)[:most]
    return ", ".join(shown) + (f" (+{len(places) - most})" if len(places) > most else "")


def _node_cells(node: NodeRow, own: str, *, shapes: bool) -> Iterator[Cell]:
    yield Cell(node.name, "name", code=True)
    yield Cell(node.op)
    yield Cell(node.target, code=True)
    yield Cell(node.mechanism)
    if shapes:
        shape = "" if node.shape is None else f"{node.dtype}[{', '.join(map(str, node.shape))}]"
        yield Cell(shape, "dim")
    yield trigger_cell(node.trigger, own)
