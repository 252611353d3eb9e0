"""Find the catalogue's phrases in running text, where the paper is about their package."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from fxanchor.concepts.candidates import WHERE, Sentences
from fxanchor.concepts.catalogue import PhraseEntry
from fxanchor.concepts.evidence import Verdict
from fxanchor.concepts.found import Found
from fxanchor.concepts.scope import Scope
from fxanchor.concepts.subject import Subject, subject
from fxanchor.concepts.words import stem, stems
from fxanchor.paper.document import Passage
from fxanchor.source.definition import Definition

_DECLARED = re.compile(r"\(([A-Z][A-Za-z]{1,6}?)s?\s?\d?\)")
# `to gather a map` is what one does, not the operator.
_TO = re.compile(r"\bto\s+$")
_OBJECT = re.compile(r"\s+(?:an?|the|its|their|our|all|every|each|this|these|those)\b")
_GAP = re.compile(r"[\s/‐‑–-]{0,3}|\.")


class Phrases:
    """Forms by their first stem, to be looked for in passage after passage.

    Args:
        forms: Every surface form, with what it belongs to.
    """

    def __init__(self, forms: Iterable[tuple[str, int]]) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], int]]] = defaultdict(list)
        for form, number in forms:
            words = tuple(word for word, _, _ in stems(form))
            if words and (words, number) not in self._by_first[words[0]]:
                self._by_first[words[0]].append((words, number))
        for known in self._by_first.values():
            known.sort(key=lambda entry: -len(entry[0]))

    def find(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Give start, end and number of every form in `text`, the longest where several begin at one word."""
        words = stems(text)
        after = 0
        for at, (first, start, _) in enumerate(words):
            if at < after:
                continue
            for form, number in self._by_first.get(first, ()):
                span = words[at : at + len(form)]
                if tuple(word for word, _, _ in span) == form and _adjacent(text, span):
                    yield start, span[-1][2], number
                    after = at + len(form)
                    break


def _adjacent(text: str, span: Sequence[tuple[str, int, int]]) -> bool:
    """Tell whether only blanks, hyphens and slashes stand between the words."""
    return all(_GAP.fullmatch(text, left[2], right[1]) is not None for left, right in pairwise(span)) and not re.match(
        r"\w", text[span[-1][2] : span[-1][2] + 1]
    )


def catalogue_phrases(
    entries: Sequence[PhraseEntry], scope: Scope, found: Sequence[Found], imported: frozenset[str]
) -> list[Found]:
    """Return the phrases of the catalogue that the paper uses.

    Args:
        entries: The catalogue's phrase entries.
        scope: What the paper has set up.
        found: What has been found so far.
        imported: Modules that the listings import.
    """
    usable = _usable(entries, scope, found, imported)
    if not usable:
        return []
    phrases = Phrases(
        (form, number) for number, (entry, _, _) in enumerate(usable) for form in (entry.name, *entry.forms)
    )
    acronyms = _acronyms(phrases, scope)
    linked_at: dict[int, list[Found]] = defaultdict(list)
    outside_at: dict[int, list[Found]] = defaultdict(list)
    for item in found:
        if item.linked:
            linked_at[item.order].append(item)
        elif item.verdict.status == "outside":
            outside_at[item.order].append(item)
    result: list[Found] = []
    for order, passage in enumerate(scope.paper.passages):
        if passage.role not in WHERE:
            continue
        around = Sentences(passage.text)
        for first, end, number in (*phrases.find(passage.text), *_acronym_places(passage.text, acronyms)):
            entry, about, definition = usable[number]
            if passage.text[first:end].isalpha() and _is_infinitive(passage.text, first, end):
                continue
            inner = [item for item in linked_at[order] if item.overlaps(first, end)]
            # Never the tail of another package's dotted name.
            foreign = any(item.start < first < item.end for item in outside_at[order])
            if foreign or any(item.end > end or not _is_module(item) for item in inner):
                continue
            start = min([first, *(item.start for item in inner)])
            sentence = around.at(start)
            near = _near(entry, about, order, passage, linked_at[order], scope)
            if about.level == "central" and (entry.reach == "paper" or near):
                result.append(_found(entry, definition, passage, order, (start, end), sentence, scope, near))
    return result


def _is_infinitive(text: str, first: int, end: int) -> bool:
    """Tell whether a word stands behind `to` and before what it is done to."""
    return _TO.search(text, max(0, first - 8), first) is not None and _OBJECT.match(text, end) is not None


def _acronyms(phrases: Phrases, scope: Scope) -> dict[str, int]:
    """Return the acronyms that the paper declares behind a phrase: `fully sharded data parallel (FSDP)`."""
    found: dict[str, int] = {}
    for passage in scope.paper.passages:
        for match in _DECLARED.finditer(passage.text) if passage.role in WHERE else ():
            head = passage.text[max(0, match.start() - 80) : match.start()].rstrip()
            for start, end, number in phrases.find(head):
                initials = "".join(word[0] for word in re.findall(r"[A-Za-z]+", head[start:end]))
                if end == len(head) and initials.upper() == match.group(1).upper():
                    found.setdefault(match.group(1), number)
    return found


def _acronym_places(text: str, acronyms: Mapping[str, int]) -> Iterator[tuple[int, int, int]]:
    """Give start, end and number of every declared acronym in `text`."""
    for short, number in acronyms.items():
        for match in re.finditer(rf"(?<![\w.]){short}s?(?!\w)", text):
            yield match.start(), match.end(), number


def _is_module(item: Found) -> bool:
    """Tell whether a finding names a module: a phrase may begin with one, as `torch.fx IR` does."""
    return item.verdict.definition is not None and item.verdict.definition.kind == "module"


def _usable(
    entries: Sequence[PhraseEntry], scope: Scope, found: Sequence[Found], imported: frozenset[str]
) -> list[tuple[PhraseEntry, Subject, Definition]]:
    """Return the entries whose package the paper is about, whose needs are met, and whose symbol is installed."""
    subjects: dict[str, Subject | None] = {known.package: known for known in scope.subjects}
    linked = {
        name
        for item in found
        if item.linked and item.verdict.definition is not None
        for name in (item.verdict.definition.name, scope.names.public(item.verdict.definition))
    }
    usable = []
    for entry in entries:
        if entry.package not in subjects:
            subjects[entry.package] = _inner_subject(entry.package, scope, imported)
        about = subjects[entry.package]
        if about is None or about.level != "central":
            continue
        if entry.needs and not any(
            name == need or name.startswith(need + ".") for need in entry.needs for name in linked
        ):
            continue
        definition = next((d for symbol in entry.symbols if (d := scope.names.index.get(symbol)) is not None), None)
        if definition is not None:
            usable.append((entry, about, definition))
    return usable


def _inner_subject(package: str, scope: Scope, imported: frozenset[str]) -> Subject | None:
    """Return what the paper has to do with a package inside an indexed one."""
    for outer in scope.names.index.packages:
        if package.startswith(outer.name + "."):
            return subject(scope.paper, replace(outer, name=package), package in imported)
    return None


def _near(
    entry: PhraseEntry, about: Subject, order: int, passage: Passage, linked: Sequence[Found], scope: Scope
) -> bool:
    """Tell whether the passage also names the package or something of it."""
    if order in about.passages:
        return True
    prefix = entry.package + "."
    for item in linked:
        definition = item.verdict.definition
        if definition is not None and (
            definition.name.startswith(prefix) or scope.names.public(definition).startswith(prefix)
        ):
            return True
    return passage.role == "heading" and stem(entry.package.rpartition(".")[2]) in {
        word for word, _, _ in stems(passage.text)
    }


def _found(
    entry: PhraseEntry,
    definition: Definition,
    passage: Passage,
    order: int,
    span: tuple[int, int],
    sentence: str,
    scope: Scope,
    near: bool,
) -> Found:
    """Return a phrase as something found."""
    evidence = {
        "context",
        "spelling",
        *(["font"] if near else []),
        *(["public"] if scope.names.is_public(definition) else []),
    }
    if len(entry.symbols) == 1:
        evidence.add("only")
    others = tuple(s for s in entry.symbols if s != definition.name and scope.names.index.get(s) is not None)
    reason = f"the catalogue has this phrase for {entry.package}: {entry.mechanism}"
    return Found(
        passage=passage,
        order=order,
        start=span[0],
        end=span[1],
        surface=" ".join(passage.text[span[0] : span[1]].split()),
        where=WHERE[passage.role],
        context=sentence,
        kind="phrase",
        verdict=Verdict("linked", definition, reason, frozenset(evidence), others, label=entry.name),
        name=entry.name,
    )
