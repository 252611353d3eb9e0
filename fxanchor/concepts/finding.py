"""What all rules that find a definition share: the verdict they give, and how a word may be spelt."""

from collections.abc import Iterable

from fxanchor.concepts.evidence import Candidate, Verdict
from fxanchor.concepts.scope import Scope
from fxanchor.concepts.vetoes import apposed
from fxanchor.concepts.words import singulars
from fxanchor.source.definition import Definition


def linked(
    candidate: Candidate,
    scope: Scope,
    found: Definition,
    reason: str,
    *kinds: str,
    others: Iterable[str] = (),
    owner: str = "",
) -> Verdict:
    """Return a verdict with the evidence that the candidate's own looks add."""
    evidence = set(kinds)
    if candidate.code:
        evidence.add("font")
    if candidate.shaped:
        evidence.add("spelling")
    if scope.names.is_public(found):
        evidence.add("public")
    if apposed(candidate) or scope.names_package(candidate.order):
        evidence.add("context")
    told = "in the code font; " if candidate.code else ""
    return Verdict("linked", found, told + reason, frozenset(evidence), tuple(others)[:6], owner=owner)


def spellings(candidate: Candidate) -> tuple[str, ...]:
    """Return the word and what it may be the plural of."""
    return (candidate.word, *singulars(candidate.word))


def is_plain(word: str) -> bool:
    """Tell whether a word could be English: small letters only."""
    return word.islower() and "_" not in word.strip("_")
