"""The linker: from a paper and an index to the concepts the paper names."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fxanchor.concepts.assemble import assemble
from fxanchor.concepts.candidates import text_candidates
from fxanchor.concepts.catalogue import load_catalogue
from fxanchor.concepts.code import (
    imports,
    infer_listings,
    listing_found,
    loose_candidates,
    parse_listings,
)
from fxanchor.concepts.concept import Concept, PaperMap
from fxanchor.concepts.found import Found, from_candidate
from fxanchor.concepts.judge import judge
from fxanchor.concepts.names import Names
from fxanchor.concepts.phrases import catalogue_phrases
from fxanchor.concepts.requested import add_requested, asked_words
from fxanchor.concepts.rules import ALL_RULES
from fxanchor.concepts.scope import Scope, declared_abbreviations
from fxanchor.concepts.similar import similar_phrases
from fxanchor.concepts.subject import subject
from fxanchor.concepts.values import Code
from fxanchor.paper.document import Paper
from fxanchor.progress import Progress, silent

if TYPE_CHECKING:
    from fxanchor.source.index import Index


def link_paper(
    paper: Paper,
    index: "Index",
    *,
    keywords: Sequence[str] = (),
    rules: frozenset[str] = ALL_RULES,
    progress: Progress = silent,
) -> PaperMap:
    """Tie what a paper says to definitions of the indexed packages.

    Args:
        paper: The paper.
        index: The index of the package or packages.
        keywords: Names that the user asks for; every place that has one is listed, also when it is refused.
        rules: Names of the linking rules that are on.
        progress: Told how far the work is.

    Returns:
        The concepts, most central first, and which public names the paper names.
    """
    progress("linking", 0, 0)
    names = Names(index)
    listings = parse_listings(paper) if "listings" in rules else []
    imported = imports(listings)
    subjects = tuple(subject(paper, package, package.name in imported) for package in index.packages)
    scope = Scope(paper, names, Code(), subjects, abbreviations=declared_abbreviations(paper))
    uses = infer_listings(listings, names, scope.code, scope.central and "implied_imports" in rules)
    found = list(listing_found(uses, scope))
    for item in found:
        if item.linked and item.verdict.definition is not None:
            scope.learn(item.verdict.definition, spelled=True)
    known = (*names.public_words, *scope.abbreviations, *scope.spelled)
    joins = "joined_lines" in rules
    candidates = [
        *text_candidates(paper, known, asked_words(keywords), lambda word: joins and _is_defined(word, names)),
        *loose_candidates(listings, "comments" in rules),
    ]
    verdicts = judge(candidates, scope, rules)
    found.extend(from_candidate(candidate, verdict) for candidate, verdict in zip(candidates, verdicts, strict=True))
    if "catalogue" in rules:
        found = _with_phrases(found, catalogue_phrases(load_catalogue().concepts, scope, found, imported))
    found = _with_phrases(found, similar_phrases(scope, found, rules))
    concepts = add_requested(assemble(found, scope), keywords, found, scope)
    named = _named(concepts, names)
    progress("linking", 1, 1)
    return PaperMap(tuple(concepts), named, tuple(sorted(names.public_names - set(named))))


def _is_defined(word: str, names: Names) -> bool:
    """Tell whether anything in the packages is called as a name that a line end has cut."""
    return bool(names.definitions(word.rpartition(".")[2]))


def _with_phrases(found: Sequence[Found], phrases: Sequence[Found]) -> list[Found]:
    """Add phrases; a word that was refused by itself is not reported where it is part of one."""
    spans: dict[int, list[Found]] = {}
    for phrase in phrases:
        spans.setdefault(phrase.order, []).append(phrase)
    kept = [
        item
        for item in found
        if item.linked or not any(phrase.overlaps(item.start, item.end) for phrase in spans.get(item.order, ()))
    ]
    return [*kept, *phrases]


def _qualifiers(concept: Concept, names: Names) -> Iterator[str]:
    """Give the modules through which the paper reaches a definition, as `pkg.func` in `pkg.func.kernel`."""
    for surface in {mention.surface for mention in concept.mentions if mention.status in ("linked", "moved")}:
        parts = surface.partition("(")[0].split(".")
        for length in range(1, len(parts)):
            above = names.dotted(parts[:length])
            if above is not None and above.kind == "module":
                yield names.public(above)


def _named(concepts: Sequence[Concept], names: Names) -> tuple[str, ...]:
    """Return the public names whose definition the paper names."""
    found = set()
    for concept in concepts:
        if concept.definition is None or not any(m.status in ("linked", "moved") for m in concept.mentions):
            continue
        found.add(concept.public_name)
        for name in names.public_words.get(concept.definition.simple_name, ()):
            if names.resolve(name) == concept.definition:
                found.add(name)
        found.update(_qualifiers(concept, names))
    return tuple(sorted(found & names.public_names))
