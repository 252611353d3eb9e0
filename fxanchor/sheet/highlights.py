"""Put what `map` found on a copy of the paper: a colour for each status, a note, and a link to the source."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from fxanchor.concepts.concept import Concept, Mention, Status
from fxanchor.paper.annotate import Note, annotate
from fxanchor.sheet.escape import plain
from fxanchor.sheet.mapping import Mapped

if TYPE_CHECKING:
    from fxanchor.concepts.claims import Claim

# Light enough for black print to stay readable under them.
_COLOURS: dict[Status, str] = {
    "linked": "b7e4b0",
    "moved": "ffe08a",
    "missing": "ffb3ab",
    "outside": "d6dbe3",
    "refused": "e4cfee",
}
_CLAIM: Final = "4a6fa5"
_NOTED: tuple[Status, ...] = ("linked", "moved", "missing")


def highlight(
    mapped: Mapped,
    out: Path,
    *,
    everything: bool = False,
    with_claims: bool = False,
    password: str | None = None,
) -> int:
    """Write a copy of the paper with its mentions highlighted and claims underlined.

    Args:
        mapped: What was found.
        out: Where to write.
        everything: Whether to highlight refused and outside names too.
        with_claims: Whether to underline what the paper claims, with the definitions that have to make it true.
        password: Password of an encrypted PDF.

    Returns:
        How many highlights were put on.

    Raises:
        InputError: When the paper cannot be copied or `out` cannot be written.
    """
    notes: dict[tuple[object, ...], Note] = {}
    for concept in mapped.found.concepts:
        for mention in concept.mentions:
            if everything or mention.status in _NOTED:
                # A phrase and a name may share their place: the first, more central concept keeps it.
                notes.setdefault(mention.places, _note(concept, mention, mapped))
    claimed: list[Note] = []
    if with_claims:
        from fxanchor.sheet.claims_text import claims_of

        claimed += map(_claimed, claims_of(mapped))
    annotate(mapped.file, [*notes.values(), *claimed], out, password)
    return len(notes)


def _claimed(claim: "Claim") -> Note:
    rests = [f"rests on {ground.definition.name}" for ground in claim.grounds]
    lines = [f"{claim.kind}: {claim.cue}", *rests]
    return Note(claim.places, _CLAIM, "\n".join(plain(line) for line in lines), underline=True)


def _note(concept: Concept, mention: Mention, mapped: Mapped) -> Note:
    lines = [f"{concept.name}: {mention.status}"]
    url = ""
    definition = concept.definition
    if definition is not None and mention.status in ("linked", "moved"):
        lines.append(f"{concept.public_name or concept.symbol} ({definition.kind})")
        lines.append(f"{definition.file}:{definition.line}-{definition.end_line}")
        if stop := mapped.stops.get(definition.name):
            lines.append(f"break at {stop.file}:{stop.line}")
        url = mapped.index.permalink(definition)
    if mention.reason:
        lines.append(mention.reason)
    return Note(mention.places, _COLOURS[mention.status], "\n".join(plain(line) for line in lines), url)
