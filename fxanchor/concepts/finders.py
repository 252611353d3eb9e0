"""Rules that find a definition by the name alone, and the order of all that find one, the surest first."""

import re

from fxanchor.concepts.arguments import call_keyword, called_argument, parameter, says_argument
from fxanchor.concepts.context_finders import (
    abbreviation,
    known_member,
    listing_word,
    named_receiver,
    receiver,
    said_owner,
    scope_member,
)
from fxanchor.concepts.evidence import Candidate, Rule, Verdict
from fxanchor.concepts.finding import is_plain, linked, spellings
from fxanchor.concepts.scope import Scope
from fxanchor.concepts.vetoes import apposed
from fxanchor.concepts.words import OF_EVERY_OBJECT, humps, singulars
from fxanchor.source.definition import Definition

_MANY = 150
_MEMBER = ("method", "attribute")
# What C++ and its like end their lines with.
_BRACES = re.compile(r"[;{]\s*$|::", re.MULTILINE)
_SHORTEST = 3
# Names below the package: what lies deeper is an internal that a paper hardly means by a single word.
_DEEPEST = 3
_MODULE_BEHIND = re.compile(r"\s+(?:sub)?(?:module|package)s?\b")
_MODULE_BEFORE = re.compile(r"\b(?:sub)?(?:module|package)\s+[\"“'‘`]?$")
_CALLABLE_BESIDE = re.compile(r"\b(?:method|function)s?\s+[\"“'‘`]?\||\|\s*(?:methods?|functions?)\b")
_TYPES = re.compile(r"(?:,?\s+(?:(?:and|or)\s+)?\w+){0,4}\s+types\b")
_NUMBER = re.compile(r"(?:u?int|b?float|complex|bool)\d*")
# What a heading says besides the names that it is about.
_BESIDE_NAMES = re.compile(
    r"the|an?|and|or|of|in|class(?:es)?|objects?|instances?|types?|APIs?|methods?|functions?|modules?|[A-Z]", re.I
)
# Members that objects of Python's own have, too.
_OF_PYTHON = OF_EVERY_OBJECT | {name for kind in (dict, list, set, str) for name in dir(kind) if name[0] != "_"}


def qualified(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`fx.symbolic_trace`, `nn.Conv2d`, `GraphModule.to_folder`: the qualifier is a module or class of the package."""
    if len(candidate.parts) < 2:
        return None
    found = scope.names.dotted(candidate.parts) or _of_only_class(candidate, scope)
    if found is None:
        return None
    above = scope.names.dotted(candidate.parts[:-1])
    owner = above.simple_name if above is not None and above.kind == "class" else ""
    public = scope.names.public(found)
    reason = "its full name" if candidate.name == public else f"{candidate.name} is {public}"
    return linked(candidate, scope, found, reason, "context", "only", owner=owner)


def _of_only_class(candidate: Candidate, scope: Scope) -> Definition | None:
    """Return `Scheduler.can_fuse` where one class of the package, even a private one, has both names."""
    first, *rest = candidate.parts
    if not (candidate.code or candidate.called) or not scope.central or not first[:1].isupper() or len(rest) != 1:
        return None
    owners = [found for found in scope.names.definitions(first) if found.kind == "class"]
    if len(owners) > _MANY:
        return None
    members = [found for owner in owners if (found := scope.names.member(owner, rest[0])) is not None]
    return members[0] if len(members) == 1 else None


def named_module(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`the stats module`, `the subpackage linalg`: the noun says that a module is meant, whatever else is called so."""
    if len(candidate.parts) > 1 or not candidate.code or not candidate.word.islower():
        return None
    if not (_MODULE_BEHIND.match(candidate.after) or _MODULE_BEFORE.search(candidate.before)):
        return None
    known = [found for found in scope.names.best(candidate.word) if found.kind == "module"]
    tied = [found for found in known if scope.names.is_as_near(found, known[0])]
    if len(tied) != 1 or not scope.central:
        return None
    others = tuple(found.name for found in known[1:])
    reason = f"called a module: {scope.names.public(known[0])}"
    return linked(candidate, scope, known[0], reason, "context", *([] if others else ["only"]), others=others)


def public_name(candidate: Candidate, scope: Scope) -> Verdict | None:
    """The name of a class, function or module that can be reached without a private name, the nearest of them.

    A plain small word must be handed out by the package itself and be nothing else besides.
    """
    if len(candidate.parts) > 1 or candidate.surface.startswith("."):
        return None
    for word in spellings(candidate):
        found, sole, others = scope.names.nearest(word)
        if found is None:
            continue
        if found.kind == "attribute" and _is_any_number(candidate, scope):
            continue
        top = scope.names.public(found) in scope.names.public_names
        if is_plain(word) and (not top or _others(found, scope) or not (candidate.code or candidate.called)):
            continue
        if word != candidate.word and not top and word not in scope.words:
            # A plural alone is too often English: `Functions` are no `torch.autograd.Function`.
            continue
        if found.kind == "module" and not (top and candidate.code) and not apposed(candidate):
            continue
        if not (top or scope.central) or not (sole or top):
            continue
        kinds = ["public", *(["only"] if not others else [])]
        return linked(candidate, scope, found, f"a public name: {scope.names.public(found)}", *kinds, others=others)
    return None


def whole_package(candidate: Candidate, scope: Scope) -> Verdict | None:
    """A spelling that shows a name, and that only one definition nearest to the public interface has."""
    if len(candidate.parts) > 1 or not scope.central:
        return None
    if not (candidate.shaped or apposed(candidate)):
        return _namesake(candidate, scope)
    if scope.code_font and not candidate.code:
        return None
    if candidate.where == "listing" and _BRACES.search(candidate.passage.text):
        return None
    for word in spellings(candidate):
        known = tuple(found for found in scope.names.definitions(word) if not scope.names.in_tests(found))
        if len(known) > _MANY:
            continue
        # What is private is meant only when nothing public is called so.
        private = tuple(found for found in known if _is_spelt_as_python_does(found))
        known = tuple(sorted((found for found in known if not scope.names.rank(found)[0]), key=scope.names.rank))
        if not known and len(private) == 1:
            known = private
        if not candidate.shaped:
            known = tuple(found for found in known if candidate.code and found.kind in ("class", "function"))
        if not known:
            continue
        # Overrides of one method are one name; two unrelated definitions are two.
        roots = {_root(found, scope).name: _root(found, scope) for found in known}
        if len(roots) > 1:
            # A member is not the one that is meant because its class happens to be nearest.
            roots = {
                name: found
                for name, found in roots.items()
                if scope.names.is_as_near(found, known[0]) and found.kind not in _MEMBER
            }
        if len(roots) == 1:
            found = next(iter(roots.values()))
            if found.kind in _MEMBER and says_argument(candidate):
                return None
            if found.kind in _MEMBER and not _OF_PYTHON.isdisjoint((word, candidate.word)):
                # `sort()` is what every list has.
                return None
            return linked(candidate, scope, found, f"only {scope.names.public(found)} is called so", "only")
    return None


def _namesake(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`Scheduler` or `stft` set as code, where nothing else of the whole package is called so."""
    word = candidate.word
    if not candidate.code or len(word) < _SHORTEST or candidate.surface.startswith("."):
        return None
    known = {
        meant.name: meant
        for found in scope.names.definitions(word)
        if not scope.names.in_tests(found)
        for meant in [scope.names.meant(found)]
    }
    if len(known) != 1:
        return None
    found = next(iter(known.values()))
    # A capital shows a class, also one that is not public; a small word could be anything, so it must be in the open.
    fits = (
        found.kind == "class"
        if word[:1].isupper()
        else found.kind == "function" and found.doc and scope.names.is_public(found)
    )
    depth = scope.names.public(found).count(".") - min(root.count(".") for root in scope.names.roots)
    if not fits or "<locals>" in found.name or depth > _DEEPEST:
        return None
    return linked(candidate, scope, found, f"only {scope.names.public(found)} is called so", "only")


def respelt(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`AllReduce` for `all_reduce`, `nn.module` for `nn.Module`: the same words, another convention."""
    if not (candidate.camel or (len(candidate.parts) > 1 and candidate.code)):
        return None
    if len(candidate.parts) > 1:
        owner = scope.names.dotted(candidate.parts[:-1])
        if owner is None or owner.kind not in ("module", "class"):
            return None
        for word in (candidate.word.capitalize(), candidate.word.lower(), candidate.word.upper()):
            found = scope.names.member(owner, word) if word != candidate.word else None
            if found is not None:
                return linked(candidate, scope, found, f"{word} in other capitals", "context")
        return None
    for word in spellings(candidate):
        parts = humps(word)
        found, sole, others = scope.names.nearest("_".join(parts)) if len(parts) > 1 else (None, False, ())
        if found is not None and sole and found.kind == "function" and not scope.names.family(word):
            return linked(candidate, scope, found, f"{found.simple_name} spelt as a class is", "public", others=others)
    return None


def _is_spelt_as_python_does(found: Definition) -> bool:
    """Tell `FlatParameter` and `_forward_from_src` from `cudaFree`, which some file only imitates."""
    word = found.simple_name
    return "<locals>" not in found.name and (
        (found.kind == "class" and word.lstrip("_")[:1].isupper()) or (found.kind == "function" and word.islower())
    )


def _root(found: Definition, scope: Scope) -> Definition:
    """Return the method that a method overrides, as far up as the package goes."""
    owner = scope.names.index.get(found.parent)
    if found.kind not in ("method", "attribute") or owner is None or owner.kind != "class":
        return found
    for base in reversed(scope.names.lineage(owner)):
        if (known := scope.names.index.get(f"{base.name}.{found.simple_name}")) is not None:
            return known
    return found


def _others(found: Definition, scope: Scope) -> bool:
    """Tell whether anything else in the open has the same last part.

    A module that hands out its namesake is the same name, and of several functions the package hands out one.
    """
    known = (other for other in scope.names.definitions(found.simple_name) if other != found)
    return any(
        scope.names.is_public(other)
        and not found.name.startswith(other.name + ".")
        and "<locals>" not in other.name
        and not found.kind == other.kind == "function"
        for other in known
    )


def _is_any_number(candidate: Candidate, scope: Scope) -> bool:
    """Tell whether a type of numbers (`float64`) is meant in general: every library of numbers has one.

    It is so in a paper that spells none of them out as the package's, and in `float32 or float64 types`.
    """
    if not _NUMBER.fullmatch(candidate.word):
        return False
    return not any(map(_NUMBER.fullmatch, scope.spelled)) or _TYPES.match(candidate.after) is not None


def handed_out(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`bfloat16` is `torch.bfloat16`, whatever method is called so: an object that the package itself hands out.

    The text must name no class beside it that has such a member, and show no call. Types of numbers have the same
    names everywhere: of those a class that the paper speaks of must have a member.
    """
    word = candidate.word
    if len(candidate.parts) > 1 or not candidate.code or candidate.called or candidate.surface.startswith("."):
        return None
    if not is_plain(word) or not scope.central or _CALLABLE_BESIDE.search(candidate.before + "|" + candidate.after):
        return None
    found, _, others = scope.names.nearest(word)
    if found is None or found.kind != "attribute" or not found.file.endswith(".pyi"):
        return None
    owners = [owner for owner in scope.classes if scope.names.member(owner, word)]
    if any(re.search(rf"\b{owner.simple_name}\b", candidate.sentence) for owner in owners):
        return None
    if not owners and _is_any_number(candidate, scope):
        return None
    return linked(candidate, scope, found, f"a public name: {scope.names.public(found)}", "public", others=others)


def heading_name(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`The Tracer`, `Proxy Objects`: a heading of nothing but names that the paper gives elsewhere and their nouns."""
    if candidate.where != "heading" or candidate.code or candidate.shaped or len(candidate.parts) > 1:
        return None
    found = next((known for word in spellings(candidate) if (known := scope.words.get(word))), None)
    if found is None:
        return None
    words = re.findall(r"[A-Za-z_][\w.]*", candidate.passage.text)
    rest = (word for word in words if not any(each in scope.words for each in (word, *singulars(word))))
    if not all(_BESIDE_NAMES.fullmatch(word) for word in rest):
        return None
    return linked(candidate, scope, found, f"the heading is about {found.simple_name}, which the text names", "context")


# Asked before the look of a word counts against it: headings have a look of their own.
HEADING_FINDERS: tuple[Rule, ...] = (heading_name,)
FINDERS: tuple[Rule, ...] = (
    call_keyword,
    receiver,
    qualified,
    named_receiver,
    abbreviation,
    said_owner,
    named_module,
    called_argument,
    listing_word,
    public_name,
    handed_out,
    scope_member,
    known_member,
    respelt,
    whole_package,
    parameter,
)
