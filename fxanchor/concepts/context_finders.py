"""Rules that find a definition through what the paper has set up: its listings, its classes, its own words."""

import re
from collections.abc import Iterator, Sequence

from fxanchor.concepts.arguments import parameter, says_argument
from fxanchor.concepts.evidence import Candidate, Verdict
from fxanchor.concepts.finding import is_plain, linked, spellings
from fxanchor.concepts.scope import Scope
from fxanchor.concepts.values import Elements, Instance, Own, OwnInstance, Symbol, Value, annotated
from fxanchor.concepts.words import OF_EVERY_OBJECT, humps
from fxanchor.source.definition import Definition

_OWNER_BEHIND = re.compile(r"(?:\s+\w+)?\s+(?:of|in|from)\s+(?:the\s+|an?\s+)?([A-Za-z_][\w.]*\w)")
_OWNER_BEFORE = re.compile(r"\b([A-Z]\w*(?=\s)|\w+(?=['’]s\s))(?:['’]s)?\s+$")
_WHOSE = re.compile(r"\b(?i:an?|the|its|each|every|any)\s+([a-z]+)['’]s\s+$")
_METHOD = re.compile(r"\s+(?:method|attribute|property|accessor)\b")
_MANY = 150


def receiver(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`traced.code`, `n.args`: the listings say what the receiver is."""
    if len(candidate.parts) < 2:
        return None
    root, *rest = candidate.parts
    value = scope.code.values.get(root)
    found = _follow(value, rest, scope)
    if found is None:
        return None
    return linked(candidate, scope, found, f"{root} is {_what(value)} in the paper's listings", "context")


def named_receiver(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`optimizer.step()`, `node.args`: a receiver in small letters is named after the class it is an object of."""
    if len(candidate.parts) != 2 or candidate.parts[0] in scope.code.values or not candidate.parts[0].islower():
        return None
    wanted = candidate.parts[0].replace("_", "")
    for known in (*scope.classes, *_classes_called(wanted, scope)):
        if known.simple_name.lower() == wanted and (found := scope.names.member(known, candidate.parts[1])):
            return linked(
                candidate,
                scope,
                found,
                f"{candidate.parts[0]} is named after {known.simple_name}",
                "context",
                owner=known.simple_name,
            )
    return None


def abbreviation(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`DDP`, where the paper has said `DistributedDataParallel (DDP)`."""
    for word in spellings(candidate):
        if long := scope.abbreviations.get(word):
            found, _, others = scope.names.nearest(long)
            if found is not None:
                reason = f"the paper's abbreviation of {long}"
                return linked(candidate, scope, found, reason, "context", "only", others=others)
    return None


def said_owner(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`fuse of torch.fx.experimental.optimization`, `Tracer's getattr`: the text says where it belongs."""
    if len(candidate.parts) > 1 or not (candidate.code or candidate.shaped):
        return None
    behind = _OWNER_BEHIND.match(candidate.after)
    before = _OWNER_BEFORE.search(candidate.before)
    for spelled in (match.group(1) for match in (behind, before) if match):
        parts = spelled.rstrip(".").split(".")
        owner = scope.names.dotted(parts) if len(parts) > 1 else None
        classes = scope.names.best(spelled[:1].upper() + spelled[1:])
        owner = owner or next((found for found in classes if found.kind == "class"), None)
        found = scope.names.member(owner, candidate.word) if owner is not None else None
        if owner is not None and found is not None:
            name = owner.simple_name if owner.kind == "class" else ""
            reason = f"the text says that it belongs to {spelled}"
            return linked(candidate, scope, found, reason, "context", "only", owner=name)
    return None


def scope_member(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`is_leaf_module`, `args`: a member of a class that the paper speaks of; the class named beside it comes first."""
    if len(candidate.parts) > 1 or not (candidate.code or candidate.shaped):
        return None
    if candidate.name in scope.names.roots:
        return None
    for word in spellings(candidate):
        if word != candidate.word and is_plain(word) and candidate.passage.is_code(candidate.start, candidate.end):
            # The code font ends before the plural's own letter: `keys` in it is no plural of `key`.
            continue
        hits: list[tuple[tuple[int, int, int], Definition, Definition]] = []
        for place, (owner, count) in enumerate(scope.classes.most_common()):
            found = scope.names.member(owner, word)
            if found is not None and found.kind in ("method", "attribute"):
                near = bool(re.search(rf"\b{owner.simple_name}(?:s|['’]s)?\b", candidate.sentence))
                if word in OF_EVERY_OBJECT and not near:
                    continue
                crowded = is_plain(word) and not near and scope.names.member_count(owner) > _MANY
                if crowded and not candidate.called and not (candidate.code and _METHOD.match(candidate.after)):
                    # Of hundreds of members some are always English words.
                    continue
                hits.append(((-near, -count, place), owner, found))
        if noun := _WHOSE.search(candidate.before):
            # `a model's forward` belongs to something that is called a model.
            hits = [hit for hit in hits if noun.group(1) in humps(hit[1].simple_name)]
        if not hits:
            continue
        hits.sort(key=lambda hit: hit[0])
        namesakes = [owner for _, owner, _ in hits if owner.simple_name == hits[0][1].simple_name]
        meant = _named_here(candidate, namesakes, scope) if len(namesakes) > 1 else []
        if len(meant) == 1:
            hits = [hit for hit in hits if hit[1] == meant[0] or hit[1] not in namesakes]
        near = bool(hits[0][0][0])
        _, owner, found = hits[0]
        if not near and says_argument(candidate) and parameter(candidate, scope) is not None:
            return None
        owner, found = _base_most(owner, found, hits, scope)
        others = sorted({other.name for _, _, other in hits} - {found.name})
        kinds = ["context", *([] if others else ["only"])]
        base = scope.names.index.get(found.parent)
        if base is not None and scope.names.rank(base) < scope.names.rank(owner):
            owner = base
        reason = f"a member of {owner.simple_name}, of which the paper speaks"
        return linked(candidate, scope, found, reason, *kinds, others=others, owner=owner.simple_name)
    return None


def listing_word(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`relu` in the text is what `torch.relu` is in the paper's listings."""
    if len(candidate.parts) > 1 or not (candidate.code or candidate.shaped or candidate.word[:1].isupper()):
        return None
    for word in spellings(candidate):
        # Members are looked for in the classes: the paper may speak of several that have one of this name.
        known = [found for found in scope.spelled.get(word, ()) if found.kind not in ("method", "attribute")]
        if len(known) > 1:
            public = [scope.names.public(found) for found in known]
            known = _named_here(candidate, known, scope)
            if len(known) != 1:
                reason = f"the paper has {' and '.join(public[:3])}, and nothing here says which"
                return Verdict("refused", None, reason, alternatives=tuple(public[:6]))
        if known:
            name = scope.names.public(known[0])
            return linked(candidate, scope, known[0], f"the paper spells it out as {name}", "context")
    return None


def _named_here(candidate: Candidate, known: Sequence[Definition], scope: Scope) -> list[Definition]:
    """Return those of several namesakes with a part of their path, which the others lack, in the same passage."""
    paths = [{*found.name.split(".")[:-1], *scope.names.public(found).split(".")[:-1]} for found in known]
    words = set(re.findall(r"[A-Za-z_][A-Za-z0-9_]*", candidate.passage.text))
    return [
        found
        for at, found in enumerate(known)
        if words & paths[at].difference(*(path for other, path in enumerate(paths) if other != at))
    ]


def known_member(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`model.parameters()`: the receiver is unknown, but the paper calls this method on a known one."""
    if len(candidate.parts) != 2 or candidate.parts[0] in scope.code.foreign:
        return None
    if not candidate.parts[0].islower() or scope.names.anchors(candidate.parts[0]):
        return None
    found = scope.words.get(candidate.parts[1])
    if found is None or found.kind not in ("method", "attribute"):
        return None
    return linked(candidate, scope, found, f"the method that the paper calls elsewhere, of {found.parent}", "context")


def _follow(value: Value, rest: list[str], scope: Scope) -> Definition | None:
    """Follow attribute names from a value of the listings."""
    match value:
        case Symbol(definition=definition) | Instance(definition=definition):
            start: Definition | None = definition
        case OwnInstance(of=Own(bases=bases)) | Own(bases=bases):
            start = next((base.definition for base in bases if isinstance(base, Symbol)), None)
        case _:
            return None
    for part in rest:
        if start is not None and start.kind == "attribute":
            given = annotated(scope.names, start.annotation, start)
            start = given.definition if isinstance(given, Instance) else None
        start = scope.names.member(start, part) if start is not None else None
    return start


def _what(value: Value) -> str:
    """Return what a value is, in words."""
    match value:
        case Instance(definition=definition):
            return f"a {definition.simple_name}"
        case Symbol(definition=definition):
            return definition.name
        case Elements():
            return "a series"
        case OwnInstance(of=own):
            return f"a {own.name}"
        case Own(name=name):
            return name
    return "known"


def _classes_called(wanted: str, scope: Scope) -> Iterator[Definition]:
    """Give the public classes whose name in small letters is `wanted`."""
    for found in scope.names.best(wanted[:1].upper() + wanted[1:]):
        if found.kind == "class":
            yield found


def _base_most(
    owner: Definition,
    found: Definition,
    hits: list[tuple[tuple[int, int, int], Definition, Definition]],
    scope: Scope,
) -> tuple[Definition, Definition]:
    """Prefer the definition that the others override, when it is among the hits: one word, one meaning in a paper."""
    for base in scope.names.lineage(owner)[1:]:
        for _, other, definition in hits:
            if other == base and definition.name != found.name:
                owner, found = other, definition
    return owner, found
