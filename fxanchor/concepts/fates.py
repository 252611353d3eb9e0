"""Rules for names that no definition answers to: moved, missing, or another package's."""

import re
import sys

from fxanchor.concepts.candidates import FILE
from fxanchor.concepts.evidence import Candidate, Rule, Verdict, outside, refused
from fxanchor.concepts.scope import Scope
from fxanchor.concepts.values import Instance
from fxanchor.concepts.vetoes import apposed
from fxanchor.concepts.words import OF_EVERY_OBJECT, singulars
from fxanchor.source.definition import Definition

_PROGRAM = re.compile(
    r"\s+(?:projects?|librar(?:y|ies)|tools?|packages?|modules?|compilers?|converters?|components?)\b"
)
# Endings that files have and members have not.
_FILE = re.compile(
    r"\.(?:cfg|cpp|cu|csv|hpp|html?|ini|json|jpg|onnx|pdf|png|pth?|sh|sqlite3?|svg|toml|txt|xml|ya?ml|zip)$"
)
# Bases that bring no members a paper would speak of.
_BARE_BASES = frozenset({"object", "ABC", "Generic", "Protocol"})


def moved(candidate: Candidate, scope: Scope) -> Verdict | None:
    """A dotted name of the package whose last part is found in exactly one other public place."""
    root = _root_of(candidate, scope)
    if root is None:
        return None
    above = scope.names.dotted(candidate.parts[:-1])
    known = elsewhere(candidate.word, scope)
    if len(known) != 1 or (above is not None and above.kind == "attribute"):
        return None
    if known[0].kind == "module" and not _rooted(candidate, root) and FILE.search(candidate.name):
        # `db.sqlite3` is a file as likely as a module.
        return None
    return Verdict(
        "moved",
        known[0],
        f"{candidate.name} is now {scope.names.public(known[0])}",
        frozenset({"context", "only", *(["font"] if candidate.code else []), "spelling"}),
    )


def missing(candidate: Candidate, scope: Scope) -> Verdict | None:
    """A dotted name of the package that nothing answers to."""
    root = _root_of(candidate, scope)
    if root is None:
        return None
    above = scope.names.dotted(candidate.parts[:-1])
    if above is not None and above.kind == "attribute":
        return refused(f"what {above.simple_name} holds cannot be told")
    known = elsewhere(candidate.word, scope)
    version = _version(scope)
    if known:
        others = tuple(found.name for found in known[:6])
        return Verdict(
            "missing",
            None,
            f"{root} {version} has no {candidate.word} here, but {len(known)} elsewhere",
            alternatives=others,
        )
    return Verdict("missing", None, f"nothing in {root} {version} is called {candidate.word}")


def missing_member(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`GraphModule.no_such`: the class is there, the member is not."""
    if len(candidate.parts) < 2:
        return None
    value = scope.code.values.get(candidate.parts[0])
    if (
        isinstance(value, Instance)
        and len(candidate.parts) == 2
        and candidate.word not in OF_EVERY_OBJECT
        and _is_whole(value.definition, scope)
    ):
        return _without(value.definition, candidate, scope)
    if candidate.parts[0] in scope.code.own:
        return None
    owner = scope.names.dotted(candidate.parts[:-1])
    if owner is None or not (candidate.code or owner in scope.classes) or owner.kind != "class":
        return None
    if not (owner in scope.classes or scope.central):
        return None
    return _without(owner, candidate, scope)


def missing_by_prefix(candidate: Candidate, scope: Scope) -> Verdict | None:
    """`the fx2trt project`: called a program, spelt with the package's own short name in front, and found nowhere."""
    if len(candidate.parts) > 1 or not scope.central or not (candidate.code or _PROGRAM.match(candidate.after)):
        return None
    for root in scope.names.roots:
        last = root.rpartition(".")[2]
        rest = candidate.word[len(last) :]
        own = candidate.word.startswith(last) and rest and not rest[0].islower()
        if own and not scope.names.definitions(candidate.word):
            version = _version(scope)
            return Verdict(
                "missing",
                None,
                f"begins with {last} as names of {root} do, and nothing in {root} {version} is called so",
            )
    return None


def other_package(candidate: Candidate, scope: Scope) -> Verdict | None:
    """A dotted name that begins with something that is not the package: `torch.jit.trace` for torch.fx, `jax.lax`."""
    if len(candidate.parts) < 2 or candidate.surface.startswith("."):
        return None
    root = candidate.parts[0]
    if not (candidate.code or candidate.called or len(root) > 1):
        return None
    full = scope.elsewhere.get(candidate.word, candidate.name)
    if full.endswith("." + candidate.name):
        return outside(f"{full} in full, which is outside {scope.aim}")
    parents = {name.partition(".")[0] for name in scope.names.roots if "." in name}
    if root in parents:
        return outside(f"a name of {root}, but outside {scope.aim}")
    if root in scope.code.own or root == "self":
        return refused("an attribute of the paper's own example")
    if len(candidate.parts) == 2 and _FILE.search(candidate.name) and root not in sys.stdlib_module_names:
        return refused("the name of a file")
    if candidate.where == "listing" or len(root) == 1 or root in scope.code.local or root in scope.code.imported:
        return refused(f"what {root} is cannot be told")
    return outside(f"{root} is no part of {scope.aim}")


def unknown_name(candidate: Candidate, scope: Scope) -> Verdict | None:
    """Anything else that was set or spelt as code."""
    if not (candidate.code or candidate.asked):
        return None
    if candidate.name in scope.names.roots and not candidate.asked:
        # The package itself is the subject.
        return refused("")
    for word in (candidate.word, *singulars(candidate.word)):
        known = scope.names.definitions(word)
        if family := scope.names.family(word) if candidate.camel and not known else ():
            reason = f"nothing is called so; {' and '.join(family[:2])} begin so"
            return Verdict(
                "refused", None, reason, alternatives=tuple(scope.names.best(name)[0].name for name in family)
            )
        if len(known) == 1:
            where = scope.names.public(known[0])
            return Verdict(
                "refused",
                None,
                f"only {where} is called so, and nothing ties the text to it",
                alternatives=(known[0].name,),
            )
        if known:
            others = tuple(found.name for found in known[:6])
            return Verdict(
                "refused",
                None,
                f"{len(known)} definitions are called so, and the text does not say which",
                alternatives=others,
            )
    if apposed(candidate) and candidate.code:
        return refused(f"no name of {scope.aim}")
    return refused(f"no name of {scope.aim}" if candidate.code else "")


def _without(owner: Definition, candidate: Candidate, scope: Scope) -> Verdict:
    """Say that a class has no such member."""
    return Verdict("missing", None, f"{scope.names.public(owner)} has no {candidate.word} in {_version(scope)}")


def _is_whole(owner: Definition, scope: Scope) -> bool:
    """Tell whether all members of a class are known: no base of another package, no `__getattr__`."""
    lineage = scope.names.lineage(owner)
    known = {found.simple_name for found in lineage} | _BARE_BASES
    bases = {base.partition("[")[0].rpartition(".")[2] for found in lineage for base in found.bases}
    return bases <= known and scope.names.member(owner, "__getattr__") is None


def elsewhere(word: str, scope: Scope) -> list[Definition]:
    """Return the modules, classes and functions of this name that are not private, overrides left out."""
    return [found for found in scope.names.best(word) if found.kind in ("module", "class", "function")]


def _root_of(candidate: Candidate, scope: Scope) -> str | None:
    """Return the package that a dotted name begins with: by its whole name, its last part, or a module of it."""
    if len(candidate.parts) < 2:
        return None
    for root in scope.names.roots:
        whole = candidate.name.startswith(root + ".")
        if whole or (_rooted(candidate, root) and candidate.parts[0] not in scope.code.own):
            return root
        if _is_top_module(candidate, root, scope):
            return root
    return None


def _rooted(candidate: Candidate, root: str) -> bool:
    """Tell whether a dotted name begins with the whole name of a package or with its last part."""
    return candidate.name.startswith(root + ".") or candidate.parts[0] == root.rpartition(".")[2]


def _is_top_module(candidate: Candidate, root: str, scope: Scope) -> bool:
    """Tell whether a dotted name set as code begins with a module right below the package, as `linalg.solve` does."""
    first = candidate.parts[0]
    if not candidate.code or not scope.central or first in scope.code.values or first in scope.code.own:
        return False
    if first in sys.stdlib_module_names or first in scope.names.roots:
        return False
    found = scope.names.resolve(f"{root}.{first}")
    return found is not None and found.kind == "module"


def _version(scope: Scope) -> str:
    """Return the installed version, or words for it."""
    return next((package.version for package in scope.names.index.packages if package.version), "the installed version")


FATES: tuple[Rule, ...] = (moved, missing, missing_member, missing_by_prefix, other_package, unknown_name)
