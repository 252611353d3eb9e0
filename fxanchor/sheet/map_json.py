"""`fxanchor.map/1`: what `map` found, for machines. The schema is a public contract: add to it, never change it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fxanchor.concepts.concept import Concept, Mention
from fxanchor.paper.document import Box, Place
from fxanchor.sheet.mapping import Mapped
from fxanchor.source.definition import Stop

if TYPE_CHECKING:
    from fxanchor.concepts.claims import Claim

SCHEMA = "fxanchor.map/1"


def map_document(mapped: Mapped, *, with_claims: bool = False) -> dict[str, Any]:
    """Return the document that `map --json` prints.

    Args:
        mapped: What was found.
        with_claims: Whether to add what the paper claims.
    """
    first = mapped.index.packages[0]
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "paper": {
            "path": _shown_path(mapped.path),
            "sha256": mapped.paper.sha256,
            "pages": mapped.paper.pages,
            "title": mapped.paper.title,
            "warnings": list(mapped.paper.warnings),
        },
        "source": {
            "package": ", ".join(package.name for package in mapped.index.packages),
            "version": first.version,
            "git_version": first.git_version,
            "root": first.name.replace(".", "/"),
        },
        "concepts": [_concept(concept, mapped) for concept in mapped.found.concepts],
        "api": {
            "named_in_paper": list(mapped.found.named_in_paper),
            "not_in_paper": list(mapped.found.not_in_paper),
        },
    }
    if with_claims:
        from fxanchor.sheet.claims_text import claims_of

        document["claims"] = [_claim(claim) for claim in claims_of(mapped)]
    return document


def stop_document(stop: Stop | None) -> dict[str, Any] | None:
    """Return a breakpoint as the contract has it, or None where there is no line that stops."""
    return {"file": stop.file, "line": stop.line, "symbol": stop.symbol} if stop and stop.line else None


def definition_document(concept: Concept, mapped: Mapped) -> dict[str, Any] | None:
    """Return the definition of a concept as the contract has it."""
    definition = concept.definition
    if definition is None:
        return None
    return {
        "file": definition.file,
        "line": definition.line,
        "end_line": definition.end_line,
        "permalink": mapped.index.permalink(definition),
    }


def _concept(concept: Concept, mapped: Mapped) -> dict[str, Any]:
    definition = concept.definition
    return {
        "name": concept.name,
        "kind": concept.kind,
        "status": concept.status,
        "confidence": round(concept.confidence, 3),
        "reason": concept.reason,
        "symbol": concept.symbol,
        "public_name": concept.public_name,
        "symbol_kind": definition.kind if definition else None,
        "definition": definition_document(concept, mapped),
        "breakpoint": stop_document(mapped.stops.get(definition.name) if definition else None),
        "no_breakpoint": mapped.stopless.get(definition.name) if definition else None,
        "alternatives": list(concept.alternatives),
        "mentions": [_mention(mention) for mention in concept.mentions],
    }


def _mention(mention: Mention) -> dict[str, Any]:
    return {
        "page": mention.page,
        "line": mention.line,
        "section": mention.section,
        "surface": mention.surface,
        "where": mention.where,
        "context": mention.context,
        "box": _box(mention.box),
        "places": _places(mention.places),
        "status": mention.status,
        "reason": mention.reason,
    }


def _claim(claim: "Claim") -> dict[str, Any]:
    return {
        "kind": claim.kind,
        "sentence": claim.sentence,
        "cue": claim.cue,
        "page": claim.page,
        "line": claim.line,
        "section": claim.section,
        "box": _box(claim.box),
        "places": _places(claim.places),
        "concepts": list(claim.concepts),
        "grounds": [
            {
                "symbol": ground.definition.name,
                "file": ground.definition.file,
                "line": ground.definition.line,
                "raises": [
                    {"exception": item.exception, "message": item.message, "file": item.file, "line": item.line}
                    for item in ground.raises
                ],
                "raises_total": ground.total,
            }
            for ground in claim.grounds
        ],
    }


def _places(places: Sequence[Place]) -> list[dict[str, Any]]:
    return [{"page": page, "line": line, "box": _box(box)} for page, line, box in places]


def _box(box: Box) -> list[float]:
    return [round(value, 2) for value in box]


def _shown_path(path: str) -> str:
    """Return the paper's path without the folders of this machine."""
    return Path(path).name if Path(path).is_absolute() else path
