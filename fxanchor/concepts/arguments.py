"""The rule for arguments: which words the text calls arguments, and which callable of the paper takes them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from fxanchor.concepts.evidence import Candidate, Verdict
from fxanchor.concepts.finding import is_plain, linked
from fxanchor.concepts.scope import Scope
from fxanchor.source.definition import Definition

_NOUN = r"(?:arguments?|parameters?|keywords?|kwargs|options?|flags?|knobs?)"
_NOUNS = re.compile(rf"\b{_NOUN}\b")
# A name of a list with its quotes and the value that may be shown for it, and what parts two of them.
_ITEM = r"[\"“'‘`]?[A-Za-z_]\w*(?:\s?=\s?[\w.\"'-]{1,20})?[\"”'’`]?"
_COMMA = r"(?:\s?,\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+|\s?/\s?)"
_BEHIND = re.compile(rf"((?:{_COMMA}{_ITEM}){{0,8}})\s+(?:(?:keyword|optional)\s+)?{_NOUN}\b")
_BEFORE = re.compile(
    rf"\b{_NOUN}(?:\s+(?:are|like|include|including|such\s+as|called|named))?[:(,]?\s+((?:{_ITEM}{_COMMA}){{0,8}})[\"“'‘`]?$"
)
# `the following arguments: backend lets ..., mode chooses ...`: up to the end of the sentence.
_LISTED = re.compile(rf"\b{_NOUN}\s?:\s(?:[^.]|\.(?=\S))*$")
_WORD = re.compile(r"[A-Za-z_]\w*")
_OF = re.compile(rf"(?:{_COMMA}{_ITEM}){{0,8}}(?:\s+{_NOUN})?\s+(?:of|to|in)\s+(?:the\s+)?([A-Za-z_][\w.]*\w)")
_WHOSE = re.compile(
    rf"([A-Za-z_][\w.]*\w)['’]s\s+(?:\w+\s+){{0,2}}(?:{_NOUN}:?\s+)?(?:{_ITEM}{_COMMA}){{0,8}}[\"“'‘`]?$"
)
_SET = re.compile(r"\s?=(?!\s?=)\s?\S")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_SENTENCE_END = re.compile(r"[.!?]\s+(?=[A-Z`\"“])")
_FAR_BEFORE = 400
_MOST_WORDS = 40


def call_keyword(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`mode` in `torch.compile(model, mode="reduce-overhead")`: the call says what takes it."""
    owner = scope.callable(candidate.in_call) if candidate.in_call and len(candidate.parts) == 1 else None
    return _taken(candidate, scope, owner, "only") if owner is not None else None


def called_argument(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`mode` in `the options mode and backend of torch.compile`: called an argument of what the sentence names.

    What a constructor takes it often keeps under the same name; but the parameters of a network are its members.
    """
    if len(candidate.parts) > 1 or not (candidate.code or candidate.shaped) or not says_argument(candidate):
        return None
    parameters = "parameter" in candidate.sentence
    for owner in (*_named_owners(candidate, scope), *_near_owners(candidate, scope)):
        if parameters and scope.names.member(owner, candidate.word):
            continue
        if (verdict := _taken(candidate, scope, owner, "only")) is not None:
            return verdict
    return None


def parameter(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`bucket_cap_mb`: an argument of a callable that the paper speaks of; a plain word must be called an argument."""
    if len(candidate.parts) > 1 or not (candidate.code or candidate.shaped):
        return None
    if not says_argument(candidate) and "_" not in candidate.word.strip("_"):
        return None
    taken = (_taken(candidate, scope, owner) for owner in _owners(candidate, scope))
    return next((verdict for verdict in taken if verdict is not None), None)


def _taken(candidate: Candidate, scope: Scope, owner: Definition, *kinds: str) -> Verdict | None:
    """Return a verdict where a callable takes the candidate as an argument."""
    found = scope.names.parameter(owner, candidate.word)
    if found is None:
        return None
    verdict = linked(candidate, scope, found, f"an argument of {owner.simple_name}", "context", *kinds)
    return replace(verdict, label=f"{candidate.word} (argument of {owner.simple_name})")


def says_argument(candidate: Candidate) -> bool:
    """Tell whether the text calls the candidate an argument, alone or in a list: `options mode and backend`."""
    if candidate.code and candidate.where != "listing" and (value := _SET.match(candidate.after)):
        # `copy=True` stands for an argument and its value, also outside a call.
        return candidate.passage.is_code(candidate.end, candidate.end + value.end())
    if not _speaks_of_arguments(candidate.passage.text):
        return False
    if (behind := _BEHIND.match(candidate.after)) and _are_names(candidate, candidate.end, *behind.span(1)):
        return True
    head = _head(candidate)
    start = candidate.start - len(head)
    if (before := _BEFORE.search(head)) and _are_names(candidate, start, *before.span(1)):
        return True
    return candidate.code and _LISTED.search(head) is not None


@lru_cache(maxsize=1)
def _speaks_of_arguments(text: str) -> bool:
    """Tell whether a passage has one of the nouns at all; candidates are asked for passage by passage."""
    return _NOUNS.search(text) is not None


def _head(candidate: Candidate) -> str:
    """Return the text in front of a candidate."""
    return candidate.passage.text[max(0, candidate.start - _FAR_BEFORE) : candidate.start]


def _are_names(candidate: Candidate, base: int, first: int, last: int) -> bool:
    """Tell whether the words of a list are set as the candidate is: `mode and the options` is no list of names."""
    if not candidate.code:
        return True
    for word in _WORD.finditer(candidate.passage.text, base + first, base + last):
        if word.group() not in ("and", "or", "other") and not candidate.passage.is_code(*word.span()):
            return False
    return True


def _named_owners(candidate: Candidate, scope: Scope) -> Iterator[Definition]:
    """Give the callables that the text says a candidate belongs to: `the options of compile`, `compile's options`."""
    for match in (_OF.match(candidate.after), _WHOSE.search(_head(candidate))):
        if match and (known := scope.callable(match.group(1))) is not None:
            yield known


def _spoken_of(scope: Scope) -> Iterable[Definition]:
    """Return what the paper names for certain, each once, the classes that it speaks of most first."""
    return dict.fromkeys([*(owner for owner, _ in scope.classes.most_common()), *scope.words.values()])


def _near_owners(candidate: Candidate, scope: Scope) -> Iterator[Definition]:
    """Give the callables that the sentence names, the last in front of the candidate first: `X, whose arguments`."""
    before = _SENTENCE_END.split(_head(candidate))[-1]
    for word in list(_DOTTED.finditer(before))[: -_MOST_WORDS - 1 : -1]:
        start = candidate.start - len(before) + word.start()
        if candidate.code and not candidate.passage.is_code(start, start + len(word.group())):
            continue
        owner = scope.callable(word.group()) or scope.method(word.group())
        if owner is not None:
            yield owner
    for owner in _spoken_of(scope):
        if owner.simple_name in candidate.sentence:
            yield owner


def _owners(candidate: Candidate, scope: Scope) -> Iterator[Definition]:
    """Give the callables that may take a candidate, the likeliest first."""
    yield from _named_owners(candidate, scope)
    yield from _near_owners(candidate, scope)
    owners = _spoken_of(scope)
    text = candidate.passage.text
    beside = {owner: place for owner in owners if (place := _last_place(owner, candidate, text)) >= 0}
    # What a paragraph spoke of last is what its `it` stands for.
    yield from sorted(beside, key=lambda owner: -beside[owner])
    if not (is_plain(candidate.word) and _SET.match(candidate.after)):
        yield from owners


def _last_place(owner: Definition, candidate: Candidate, text: str) -> int:
    """Return where a callable is named last in front of a candidate, or a little less than 0 when it is not.

    A plain word is no name of it unless a qualifier stands in front.
    """
    dot = "." if is_plain(owner.simple_name) else ""
    place = text.rfind(dot + owner.simple_name, 0, candidate.start)
    if place < 0 and not dot:
        return 0 if owner.simple_name in text else -1
    return place
