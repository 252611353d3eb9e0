"""`fxanchor.trace/1`: what `trace` found, for machines. The schema is a public contract: add to it, never change it."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from fxanchor.breakpoints.trace import Trace
from fxanchor.model.report import Blocker, NodeRow
from fxanchor.sheet.anchors import Anchor

if TYPE_CHECKING:
    from fxanchor.source.index import Index

SCHEMA = "fxanchor.trace/1"


def trace_document(trace: Trace, anchors: Sequence[Anchor], index: "Index") -> dict[str, Any]:
    """Return the document that `trace --json` prints."""
    capture = trace.capture
    return {
        "schema": SCHEMA,
        "model": {"file": capture.file, "target": capture.target, "built_by": capture.built_by},
        "capture": {
            "ok": capture.ok,
            "rung": capture.rung,
            "steps": [asdict(step) for step in capture.steps],
            "code": capture.code,
        },
        "nodes": [_node(node) for node in capture.nodes],
        "blockers": [_blocker(blocker) for blocker in capture.blockers],
        "anchors": [_anchor(anchor, index) for anchor in anchors],
        "modules": [asdict(module) for module in capture.modules],
        "fix": capture.fix,
        "diff": capture.diff,
        "notes": list(capture.notes),
        "printed": capture.printed,
    }


def _node(node: NodeRow) -> dict[str, Any]:
    document = asdict(node)
    if node.shape is not None:
        document["shape"] = list(node.shape)
    document["stack"] = [asdict(frame) for frame in node.stack]
    return document


def _blocker(blocker: Blocker) -> dict[str, Any]:
    document = asdict(blocker)
    document["recipes"] = [asdict(recipe) for recipe in blocker.recipes]
    return document


def _anchor(anchor: Anchor, index: "Index") -> dict[str, Any]:
    proof, definition = anchor.proof, anchor.definition
    stop = proof.wanted.stop
    return {
        "concept": anchor.name,
        "symbol": stop.symbol,
        "definition": {
            "file": definition.file,
            "line": definition.line,
            "end_line": definition.end_line,
            "permalink": index.permalink(definition),
        }
        if definition
        else None,
        "breakpoint": {
            "file": stop.file,
            "line": stop.line,
            "proof": proof.kind,
            "hits": proof.hits,
            "stops": proof.stops,
        },
        "reason": proof.reason,
        "watch": [{"expression": seen.expression, "value": seen.value} for seen in proof.watch],
        "first_trigger": asdict(proof.first_trigger) if proof.first_trigger else None,
        "paper": [{"page": mention.page, "section": mention.section} for mention in anchor.mentions],
    }
