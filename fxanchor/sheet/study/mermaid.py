"""Mermaid drawings: the way of one value through the capture, and the graph of a model."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from fxanchor.model.report import NodeRow
from fxanchor.sheet.escape import plain, shortened
from fxanchor.sheet.study.content import ModelPart
from fxanchor.sheet.study.options import Language
from fxanchor.sheet.study.words import say

_MOST_NODES = 40
_LABEL = 40


def value_path(model: ModelPart, node: NodeRow, language: Language) -> Iterator[str]:
    """Give a sequence diagram of how one expression of the user's becomes a node and a line of generated code."""
    trigger = node.trigger
    hit = [anchor for anchor in model.anchors if anchor.proof.kind == "hit" and anchor.proof.wanted.key]
    if trigger is None or not hit:
        return
    yield "```mermaid"
    yield "sequenceDiagram"
    yield f"    participant M as {_label(f'{trigger.file}:{trigger.line}')}"
    for number, anchor in enumerate(hit):
        stop = anchor.proof.wanted.stop
        yield f"    participant A{number} as {_label(anchor.name)}<br/>{_label(f'{stop.file}:{stop.line}')}"
    yield f"    participant G as {_label(say('generated', language))}"
    before = "M"
    words = trigger.expression
    for number in range(len(hit)):
        yield f"    {before}->>A{number}: {_label(words)}"
        before, words = f"A{number}", f"{node.op} {node.target}"
    made = [line.strip() for line in model.trace.capture.code.splitlines() if line.strip().startswith(f"{node.name} =")]
    yield f"    {before}->>G: {_label(made[0] if made else node.name)}"
    yield "```"


def model_graph(nodes: Sequence[NodeRow]) -> Iterator[str]:
    """Give a flow chart of the nodes, or of their modules when there are many nodes."""
    grouped = len(nodes) > _MOST_NODES
    group = {node.name: _group(node) if grouped else node.name for node in nodes}
    if grouped and len(set(group.values())) > _MOST_NODES:
        group = {name: place.split(".")[0] for name, place in group.items()}
    count = Counter(group.values())
    identity = {place: f"n{number}" for number, place in enumerate(dict.fromkeys(group.values()))}
    words = {node.name: f"{node.name}: {node.target}" for node in nodes}
    yield "```mermaid"
    yield "flowchart TD"
    for place, name in identity.items():
        label = f"{place} ({count[place]})" if grouped else words[place]
        yield f'    {name}["{_label(label)}"]'
    edges = dict.fromkeys(
        (group[source], group[node.name]) for node in nodes for source in node.inputs if source in group
    )
    for source, target in edges:
        if source != target:
            yield f"    {identity[source]} --> {identity[target]}"
    yield "```"


def _group(node: NodeRow) -> str:
    """Return the module that a node belongs to, at most two levels deep."""
    path = node.target if node.op in ("call_module", "get_attr") else node.module_path
    return ".".join(path.split(".")[:2]) if path else node.op


def _label(text: str) -> str:
    """Return text that mermaid takes for a label and for nothing else."""
    return re.sub(r"[\"#;<>&{}\[\]|`]", lambda found: f"#{ord(found.group())};", shortened(plain(text), _LABEL))
