"""Concepts that the user asks for: every place is listed, and the definition is given even where the paper has none."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from fxanchor.concepts.assemble import assemble, confidence, mention
from fxanchor.concepts.catalogue import load_catalogue
from fxanchor.concepts.concept import Concept, Mention
from fxanchor.concepts.found import Found
from fxanchor.concepts.scope import Scope
from fxanchor.concepts.words import singulars
from fxanchor.source.definition import Definition


def asked_words(keywords: Sequence[str]) -> frozenset[str]:
    """Return the words that are candidates wherever they stand; a keyword in small letters means capitals too."""
    words = set()
    for keyword in keywords:
        # The last part of a dotted keyword may be plain English: only what is set as code is a place of it.
        word = keyword.strip().removesuffix("()")
        if "." in word or " " in word:
            continue
        words.add(word)
        if word.islower():
            words.add(word[:1].upper() + word[1:])
    return frozenset(words)


def add_requested(
    concepts: list[Concept], keywords: Sequence[str], found: Sequence[Found], scope: Scope
) -> list[Concept]:
    """Put a concept for each keyword in front, in the order asked for, in place of the one the paper brought in.

    Args:
        concepts: The concepts of the paper.
        keywords: What the user asks for.
        found: Everything found in the paper.
        scope: What the paper has set up.
    """
    asked = [_requested(keyword, found, scope) for keyword in dict.fromkeys(keywords)]
    taken = {concept.symbol for concept in asked if concept.symbol and concept.status in ("linked", "moved")}
    words = {_last(keyword) for keyword in keywords}
    rest = [
        concept
        for concept in concepts
        if not (concept.symbol in taken and concept.kind != "phrase")
        and not (not concept.symbol and _last(concept.name) in words)
    ]
    return [*asked, *rest]


def _requested(keyword: str, found: Sequence[Found], scope: Scope) -> Concept:
    """Return the concept of one keyword."""
    definition = _definition(keyword, scope)
    hits = sorted(
        (item for item in found if _hits(keyword, definition, item)), key=lambda item: (item.order, item.start)
    )
    named = Counter(item.verdict.definition for item in hits if item.linked and item.verdict.definition is not None)
    if named and (definition is None or ("." not in keyword and definition not in named)):
        # A word alone means what the paper means by it.
        definition = named.most_common(1)[0][0]
    shown = [_with_reason(item, scope) for item in hits]
    mentions = tuple(made for item in shown if (made := mention(item)) is not None)
    linked = [item for item in shown if item.linked and (definition is None or item.verdict.definition == definition)]
    if linked:
        model = assemble(linked, scope)[0]
        return replace(model, name=keyword, kind="requested", mentions=mentions, confidence=confidence(linked, scope))
    if definition is None:
        return _unknown(keyword, mentions, scope)
    return Concept(
        name=keyword,
        kind="requested",
        status="refused",
        confidence=0.0,
        reason=_refusal(mentions, definition),
        symbol=definition.name,
        public_name=scope.names.public(definition),
        definition=definition,
        alternatives=_others(keyword, definition, scope),
        mentions=mentions,
    )


def _definition(keyword: str, scope: Scope) -> Definition | None:
    """Return what a keyword names: a name, dotted or not, or a phrase of the catalogue."""
    names = scope.names
    if " " in keyword.strip():
        for entry in load_catalogue().concepts:
            if keyword.casefold() in entry.names():
                return next((d for symbol in entry.symbols if (d := names.index.get(symbol)) is not None), None)
        return None
    parts = keyword.strip("()").split(".")
    if found := names.dotted(parts):
        return found
    if len(parts) == 1:
        for word in (parts[0], parts[0][:1].upper() + parts[0][1:]):
            if usable := names.best(word):
                return usable[0]
    for known, _ in scope.classes.most_common():
        if len(parts) == 1 and (found := names.member(known, parts[0])):
            return found
    suffix = "." + ".".join(parts)
    return names.first(known for known in names.definitions(parts[-1]) if known.name.endswith(suffix))


def _hits(keyword: str, definition: Definition | None, item: Found) -> bool:
    """Tell whether a finding is a place of the keyword."""
    if item.kind == "phrase":
        return item.name.casefold() == keyword.casefold() or item.surface.casefold() == keyword.casefold()
    if item.linked and definition is not None and item.verdict.definition == definition:
        return True
    word = _last(keyword)
    spelt = item.name.rpartition(".")[2]
    options = (spelt, *singulars(spelt))
    return word in options or (word.islower() and word in [option.lower() for option in options])


def _with_reason(item: Found, scope: Scope) -> Found:
    """Give a place that was dropped in silence a reason, now that it is shown."""
    if item.verdict.reason:
        return item
    reason = (
        f"{scope.subjects[0].reason}; nothing says that the word is a name" if scope.absent else "a plain word here"
    )
    return replace(item, verdict=replace(item.verdict, reason=reason))


def _refusal(mentions: Sequence[Mention], definition: Definition) -> str:
    """Say why no place of the paper names the definition."""
    what = f"this {definition.kind}"
    if not mentions:
        return f"the paper never names {what}"
    count = len(mentions)
    places = ", ".join(dict.fromkeys(f"{m.section or 'page ' + str(m.page)}" for m in mentions))
    whole = "the one hit" if count == 1 else f"both hits ({places})" if count == 2 else f"all {count} hits ({places})"
    meanings = {m.reason.partition(":")[0] for m in mentions if m.reason.startswith("means ")}
    if len(meanings) == 1 and all(m.reason.startswith("means ") for m in mentions):
        verb = next(iter(meanings)) if count == 1 else next(iter(meanings)).replace("means", "mean", 1)
        return f"{whole} {verb}; the paper never names {what}"
    return f"{whole} {'is' if count == 1 else 'are'} something else; the paper never names {what}"


def _unknown(keyword: str, mentions: tuple[Mention, ...], scope: Scope) -> Concept:
    """Return the concept of a keyword that no definition answers to."""
    near = nearest(keyword, scope)
    hint = f"; nearest: {', '.join(near)}" if near else ""
    return Concept(
        name=keyword,
        kind="requested",
        status="refused" if mentions else "missing",
        confidence=0.0,
        reason=f"nothing in {scope.aim} is called {keyword}{hint}",
        symbol="",
        public_name="",
        definition=None,
        alternatives=near,
        mentions=mentions,
    )


def nearest(keyword: str, scope: Scope) -> tuple[str, ...]:
    """Return up to three names spelt most like a keyword: any that is close, then public ones that are less so."""
    names, wanted = scope.names, _last(keyword)
    public = sorted(names.public_words)
    known = [word for word in names.index.simple_names() if not word.startswith("_")]
    words = [*get_close_matches(wanted, known, n=3, cutoff=0.8), *get_close_matches(wanted, public, n=3, cutoff=0.6)]
    if not words:
        lower = {word.lower(): word for word in public}
        words = [lower[word] for word in get_close_matches(wanted.lower(), sorted(lower), n=3, cutoff=0.6)]
    return tuple(spelt for word in dict.fromkeys(words) if (spelt := _public_spelling(word, scope)))[:3]


def _public_spelling(word: str, scope: Scope) -> str:
    """Return the name nearest to the package that ends in `word`, or "" when only what is nested is called so."""
    names = scope.names
    if word in names.public_words:
        return names.public_words[word][0]
    found = names.first(known for known in names.definitions(word) if "<locals>" not in known.name)
    return names.public(found) if found else ""


def _others(keyword: str, definition: Definition, scope: Scope) -> tuple[str, ...]:
    """Return other definitions of the same name."""
    return tuple(known.name for known in scope.names.definitions(_last(keyword)) if known != definition)[:6]


def _last(keyword: str) -> str:
    """Return the last part of a dotted name without parentheses."""
    return keyword.strip().removesuffix("()").rpartition(".")[2]
