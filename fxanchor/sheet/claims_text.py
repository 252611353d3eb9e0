"""What a paper claims of the package, as questions to take to the source: who must keep the promise, and where not."""

from collections.abc import Iterator, Sequence
from typing import Any

from fxanchor.concepts.claims import Claim, find_claims
from fxanchor.sheet.escape import markdown, plain
from fxanchor.sheet.mapping import Mapped

_MOST_RAISES = 4


def claims_of(mapped: Mapped) -> tuple[Claim, ...]:
    """Return the claims of a mapped paper, in its order."""
    return find_claims(mapped.paper, mapped.found, mapped.index)


def claims_text(claims: Sequence[Claim]) -> str:
    """Return the claims for a terminal."""
    return "\n".join(line for number, claim in enumerate(claims, 1) for line in _plain(number, claim))


def claims_markdown(claims: Sequence[Claim]) -> str:
    """Return the claims as a markdown list of questions."""
    return "\n".join(line for claim in claims for line in _markdown(claim))


def claims_document(claims: Sequence[Claim]) -> list[dict[str, Any]]:
    """Return the claims as `map --claims --json` prints them."""
    return [
        {
            "kind": claim.kind,
            "sentence": claim.sentence,
            "cue": claim.cue,
            "page": claim.page,
            "line": claim.line,
            "section": claim.section,
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
                }
                for ground in claim.grounds
            ],
        }
        for claim in claims
    ]


def _plain(number: int, claim: Claim) -> Iterator[str]:
    section = f"{claim.section} · " if claim.section else ""
    yield f"{number:3}  {section}p{claim.page} l{claim.line}  {claim.kind}: “{claim.cue}”"
    yield f"     {plain(claim.sentence)}"
    for ground in claim.grounds:
        definition = ground.definition
        yield f"     rests on {definition.name} ({definition.file}:{definition.line})"
        for item in ground.raises[:_MOST_RAISES]:
            if item.exception:
                yield f"       gives up at {item.file}:{item.line} {item.exception}: {plain(item.message)}".rstrip(": ")
    yield ""


def _markdown(claim: Claim) -> Iterator[str]:
    section = f"{markdown(claim.section)}, " if claim.section else ""
    yield f"- [ ] “{markdown(claim.sentence)}” ({section}p{claim.page})"
    for ground in claim.grounds:
        definition = ground.definition
        yield f"  - `{definition.name}` `{definition.file}:{definition.line}`"
