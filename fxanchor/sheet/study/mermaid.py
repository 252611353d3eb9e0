"""Mermaid drawings: the way of one value through the capture, and the graph of a model."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from fxanchor.breakpoints.facts import load_names
from fxanchor.model.report import NodeRow
from fxanchor.sheet.anchors import Anchor
from fxanchor.sheet.escape import plain, shortened
from fxanchor.sheet.study.content import ModelPart
from fxanchor.sheet.study.options import Language
from fxanchor.sheet.study.words import say

_MOST_NODES = 40
_LABEL = 40


def value_path(model: ModelPart, node: NodeRow, made: str, language: Language) -> Iterator[str]:
    """Give a sequence diagram of how one expression of the user's becomes a node and a line of generated code.

    Args:
        model: The model. Its key breakpoints are the participants: the first begins the capture, the others make nodes.
        node: The node to follow.
        made: The line of the generated code that it became.
        language: Of the words on the arrows.
    """
    trigger = node.trigger
    hit = [anchor for anchor in model.anchors if anchor.proof.kind == "hit" and anchor.proof.wanted.key]
    if trigger is None or len(hit) < 2:
        return
    yield "```mermaid"
    yield "sequenceDiagram"
    names_of = load_names(language.value)
    names = ["E", "M", *(f"A{number}" for number in range(1, len(hit)))]
    yield f"    participant E as {_stop_label(hit[0], names_of)}"
    yield f"    participant M as {_label(f'{trigger.file}:{trigger.line}')}"
    for name, anchor in zip(names[2:], hit[1:], strict=True):
        yield f"    participant {name} as {_stop_label(anchor, names_of)}"
    yield f"    participant G as {_label(say('generated', language))}"
    yield f"    E->>M: {_label(say('runs forward', language))}"
    words = trigger.expression
    for before, name in pairwise(names[1:]):
        yield f"    {before}->>{name}: {_label(words)}"
        words = f"{node.op} {node.target}"
    yield f"    {names[-1]}-->>M: {_label(say('stand-in back', language))}"
    yield f"    E->>G: {_label(made)}"
    yield "```"


def folded(nodes: Sequence[NodeRow]) -> bool:
    """Tell whether a graph is drawn by module, since it has many nodes."""
    return len(nodes) > _MOST_NODES


def model_graph(nodes: Sequence[NodeRow]) -> Iterator[str]:
    """Give a flow chart of the nodes, or of their modules when there are many nodes."""
    grouped = folded(nodes)
    group = {node.name: _group(node) if grouped else node.name for node in nodes}
    if grouped and len(set(group.values())) > _MOST_NODES:
        group = {name: place.split(".")[0] for name, place in group.items()}
    count = Counter(group.values())
    identity = {place: f"n{number}" for number, place in enumerate(dict.fromkeys(group.values()))}
    words = {node.name: node.name if node.target == node.name else f"{node.name}: {node.target}" for node in nodes}
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


def _stop_label(anchor: Anchor, names: Mapping[str, str]) -> str:
    stop = anchor.proof.wanted.stop
    return f"{_label(names.get(anchor.name, anchor.name))}<br/>{_label(f'{stop.file}:{stop.line}')}"


def _group(node: NodeRow) -> str:
    """Return the module that a node belongs to, at most two levels deep."""
    path = node.target if node.op in ("call_module", "get_attr") else node.module_path
    return ".".join(path.split(".")[:2]) if path else node.op


def _label(text: str) -> str:
    """Return text that mermaid takes for a label and for nothing else."""
    return re.sub(r"[\"#;<>&{}\[\]|`]", lambda found: f"#{ord(found.group())};", shortened(plain(text), _LABEL))
