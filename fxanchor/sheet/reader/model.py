"""The user's model as the reader shows it: its source in pieces, and the expressions that set something off."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from fxanchor.model.report import Blocker, NodeRow, Trigger
from fxanchor.sheet.anchors import Anchor
from fxanchor.sheet.escape import plain, plain_lines
from fxanchor.sheet.reader.code import Line, coloured
from fxanchor.sheet.study.card import stop_name
from fxanchor.sheet.study.content import ModelPart
from fxanchor.sheet.study.options import Language

_MOST_BYTES: Final = 400_000
_MOST_NODES: Final = 60


@dataclass(slots=True)
class _Set:
    """One expression, what it set off, and why a capture cannot pass it."""

    trigger: Trigger
    nodes: list[NodeRow] = field(default_factory=list)
    stops: list[Anchor] = field(default_factory=list)
    blocks: list[Blocker] = field(default_factory=list)


def model_document(model: ModelPart, language: Language) -> dict[str, Any]:
    """Return what the page needs of a model: its files with their lines, and its triggers by number.

    Args:
        model: The model.
        language: Of the page's own words.
    """
    capture = model.trace.capture
    triggers = _triggers(model)
    files = dict.fromkeys([capture.file, *(one.trigger.file for one in triggers.values())])
    numbers = {trigger: number for number, trigger in enumerate(triggers)}
    return {
        "name": plain(f"{capture.file}:{capture.target}" if capture.target else capture.file),
        "ok": capture.ok,
        "rung": capture.rung,
        "files": [
            {"file": plain(file), "lines": _lines(source, [one for one in numbers if one.file == file], numbers)}
            for file in files
            if (source := _source(file)) is not None
        ],
        "triggers": [_trigger_document(one, language) for one in triggers.values()],
    }


def trigger_numbers(model: ModelPart) -> dict[Trigger, int]:
    """Return the number by which the page knows each trigger of a model."""
    return {trigger: number for number, trigger in enumerate(_triggers(model))}


def _triggers(model: ModelPart) -> dict[Trigger, _Set]:
    """Return the expressions that made nodes, led to a stop or block a capture, in the order in which they did."""
    found: dict[Trigger, _Set] = {}
    for node in model.trace.capture.nodes:
        if node.trigger is not None:
            found.setdefault(node.trigger, _Set(node.trigger)).nodes.append(node)
    for anchor in model.anchors:
        trigger = anchor.proof.first_trigger
        if trigger is not None:
            found.setdefault(trigger, _Set(trigger)).stops.append(anchor)
    for one in model.trace.capture.blockers:
        place = Trigger(one.file, one.line, one.line, one.col, one.end_col, one.expression)
        found.setdefault(place, _Set(place)).blocks.append(one)
    return found


def _trigger_document(one: _Set, language: Language) -> dict[str, Any]:
    trigger = one.trigger
    return {
        "file": plain(trigger.file),
        "line": trigger.line,
        "end": trigger.end_line,
        "expression": plain(trigger.expression),
        "nodes": [
            {"name": plain(node.name), "does": plain(f"{node.op} {node.target}"), "by": plain(node.mechanism)}
            for node in one.nodes[:_MOST_NODES]
        ],
        "blocks": [{"why": plain(item.explanation or item.message), "silent": item.silent} for item in one.blocks],
        "first": [plain(name) for name in dict.fromkeys(stop_name(anchor, language) for anchor in one.stops)],
    }


def _source(file: str) -> str | None:
    """Return the text of a Python file of the user's; None for a library's, a notebook and what cannot be read."""
    path = Path(file)
    try:
        if path.suffix != ".py" or path.stat().st_size > _MOST_BYTES:
            return None
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except (OSError, ValueError):
        return None


def _lines(source: str, triggers: Sequence[Trigger], numbers: dict[Trigger, int]) -> list[list[list[Any]]]:
    """Return lines of `[colour, text, [trigger numbers]]`, the innermost trigger last."""
    text = source.rstrip("\n").split("\n")
    marks: dict[int, list[tuple[int, int, int]]] = {}
    for trigger in sorted(triggers, key=_extent, reverse=True):
        for line, start, end in _spans(trigger, text):
            marks.setdefault(line, []).append((start, end, numbers[trigger]))
    return [
        [[kind, plain_lines(shown), over] for kind, shown, over in _cut(line, marks.get(number, ()))]
        for number, line in enumerate(coloured(source.rstrip("\n")), 1)
    ]


def _extent(trigger: Trigger) -> tuple[int, int]:
    return trigger.end_line - trigger.line, trigger.end_col - trigger.col


def _spans(trigger: Trigger, text: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Give line, first and last column of each line that a trigger covers, without the indentation."""
    for line in range(max(1, trigger.line), min(trigger.end_line, len(text)) + 1):
        indent = len(text[line - 1]) - len(text[line - 1].lstrip())
        start = trigger.col if line == trigger.line else indent
        end = trigger.end_col if line == trigger.end_line else len(text[line - 1])
        if start < end:
            yield line, start, end


def _cut(line: Line, marks: Sequence[tuple[int, int, int]]) -> Iterator[tuple[str, str, list[int]]]:
    """Give the pieces of a line, cut where a mark begins or ends, with the marks that cover each."""
    edges = sorted({edge for start, end, _ in marks for edge in (start, end)})
    at = 0
    for piece in line:
        inside = [edge - at for edge in edges if at < edge < at + len(piece.text)]
        for first, last in zip([0, *inside], [*inside, len(piece.text)], strict=True):
            over = [number for start, end, number in marks if start <= at + first and at + last <= end]
            yield piece.kind, piece.text[first:last], over
        at += len(piece.text)
