"""What a concept is, in one sentence: from the catalogue, and from the definition's own docstring."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from fxanchor.concepts.catalogue import PhraseEntry, load_catalogue
from fxanchor.concepts.concept import Concept
from fxanchor.sheet.study.excerpt import comment_above
from fxanchor.sheet.study.options import Language

if TYPE_CHECKING:
    from fxanchor.source.index import Index

_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s")
_ROLE = re.compile(r":\w+(?::\w+)*:`~?([^`<]*?)(?:\s*<[^`]*>)?`")
_SIGNATURE = re.compile(r"[\w.]+\(.*\)( -> \S+)?")
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class About:
    """What can be said of a card's definition in a sentence.

    Attributes:
        mechanisms: The catalogue's entries for phrases of this paper that mean the definition.
        doc: First sentence of its docstring, or the short comment above it, plain; "" when it has none.
        why: Why the words of the paper are tied to it, as the linker says.
    """

    mechanisms: tuple[PhraseEntry, ...]
    doc: str
    why: str


def about(concept: Concept, phrases: Sequence[Concept], index: "Index") -> About:
    """Gather what can be said of a concept.

    Args:
        concept: The concept of the card.
        phrases: The paper's concepts that are linked to the same definition.
        index: Definitions of the package.
    """
    entries = _entries()
    found = {one.name: entries[one.name] for one in phrases if one.kind == "phrase" and one.name in entries}
    doc = ""
    if concept.definition is not None:
        definition = concept.definition
        doc = definition.doc or comment_above(index.lines(definition), index.first_line(definition))
    return About(tuple(found.values()), first_sentence(doc), _why(concept))


def mechanism_words(entry: PhraseEntry, language: Language) -> str:
    """Return what happens, in the sheet's language; "" when the catalogue does not have it in that language."""
    return entry.mechanism if language is Language.en else entry.mechanism_zh


def first_sentence(doc: str) -> str:
    """Return the first sentence of a docstring without the markup of its roles."""
    text = _ROLE.sub(r"``\1``", " ".join(doc.split()))
    sentence = _SENTENCE_END.split(text, maxsplit=1)[0]
    # Some docstrings begin with the signature, which the code shows anyway.
    if _SIGNATURE.fullmatch(sentence):
        return ""
    return sentence if len(sentence) <= _LONGEST else sentence[:_LONGEST].rsplit(" ", 1)[0] + " …"


def _why(concept: Concept) -> str:
    """Return the linker's reason without what the card says already, or what says nothing."""
    if concept.kind == "phrase":
        return ""
    clauses = [clause.strip() for clause in concept.reason.split(";")]
    told = [clause for clause in clauses if not re.fullmatch(r"(\S+) is \1", clause)]
    return "; ".join(clause.replace("in a listing: ", "in a listing, ", 1) for clause in told)


@cache
def _entries() -> dict[str, PhraseEntry]:
    return {entry.name: entry for entry in load_catalogue().concepts}
