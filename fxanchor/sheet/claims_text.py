"""What a paper claims of the package, as questions to take to the source: who must keep the promise, and where not."""

from collections.abc import Iterator, Sequence

from fxanchor.concepts.claims import Claim, find_claims
from fxanchor.sheet.escape import markdown, plain
from fxanchor.sheet.mapping import Mapped

_MOST_RAISES = 4
_NONE = "No sentence of this paper claims anything of what the package has."


def claims_of(mapped: Mapped) -> tuple[Claim, ...]:
    """Return the claims of a mapped paper, in its order."""
    return find_claims(mapped.paper, mapped.found, mapped.index)


def claims_text(claims: Sequence[Claim]) -> str:
    """Return the claims for a terminal."""
    return "\n".join(line for number, claim in enumerate(claims, 1) for line in _plain(number, claim)) or _NONE


def claims_markdown(claims: Sequence[Claim]) -> str:
    """Return the claims as a markdown list of questions."""
    return "\n".join(line for claim in claims for line in _markdown(claim)) or _NONE


def _plain(number: int, claim: Claim) -> Iterator[str]:
    section = f"{claim.section} · " if claim.section else ""
    yield f"{number:3}  {section}{_where(claim)}  {claim.kind}: “{claim.cue}”"
    yield f"     {plain(claim.sentence)}"
    for ground in claim.grounds:
        definition = ground.definition
        yield f"     rests on {definition.name} ({definition.file}:{definition.line})"
        for item in ground.raises[:_MOST_RAISES]:
            # What a variable holds is told as the statement it stands in.
            name = item.exception if item.exception.rpartition(".")[2][:1].isupper() else f"raise {item.exception}"
            yield f"       gives up at {item.file}:{item.line} {name}: {plain(item.message)}".rstrip(": ")
        if ground.total > _MOST_RAISES:
            yield f"       and at {ground.total - _MOST_RAISES} more places down to line {definition.end_line}"
    yield ""


def _where(claim: Claim) -> str:
    """Return the lines of a claim in short: `p2 l14`, `p2 l14-16`, `p2 l98-p3 l1`."""
    page, line, _ = claim.places[-1]
    last = f"-p{page} l{line}" if page != claim.page else f"-{line}" if line != claim.line else ""
    return f"p{claim.page} l{claim.line}{last}"


def _markdown(claim: Claim) -> Iterator[str]:
    section = f"{markdown(claim.section)}, " if claim.section else ""
    yield f"- [ ] “{markdown(claim.sentence)}” ({section}{_where(claim)})"
    for ground in claim.grounds:
        definition = ground.definition
        yield f"  - `{definition.name}` `{definition.file}:{definition.line}`"
