"""Judge what the code of a text asks for and the packages do not have: moved, wrong, or not to be told."""

import re
from dataclasses import dataclass
from difflib import get_close_matches

from fxanchor.checking.classes import Shapes
from fxanchor.checking.evaluate import Miss
from fxanchor.checking.library import Library
from fxanchor.checking.reference import Verdict
from fxanchor.source.definition import Definition

_MAKES_NAMES = re.compile(r"\bglobals\(\)|\bvars\(\)\[|sys\.modules\[|^def __getattr__", re.M)


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict with its reasons."""

    target: str
    verdict: Verdict
    evidence: str
    suggestion: str = ""


def judge_miss(miss: Miss, library: Library, shapes: Shapes) -> Judged | None:
    """Return the verdict on a miss; None when the text may well be right and there is nothing to say.

    Args:
        miss: What was not found.
        library: The packages.
        shapes: What their classes answer to.
    """
    owner = miss.owner
    if miss.kind == "import":
        return _not_importable(miss.word, library)
    if owner is None:
        return None
    public = library.names.public(owner)
    if miss.kind in ("index", "loop"):
        verb = "indexed" if miss.kind == "index" else "looped over"
        way = ". Loop over it, or make a list of it" if not shapes.of(owner).lacks("__iter__") else ""
        return Judged(
            miss.surface,
            "wrong",
            f"{_inside(miss.surface)} is a {owner.simple_name} ({owner.file}:{owner.line}), which has no {miss.word}"
            f" and cannot be {verb}",
            way.lstrip(". "),
        )
    if miss.kind == "parameter":
        return judge_parameter(miss.word, owner, library)
    if miss.kind == "arguments":
        assert miss.signature is not None
        return Judged(public, "wrong", f"{public} takes fewer arguments: {miss.signature.shown}", miss.signature.shown)
    if owner.kind == "module":
        return _not_in_module(owner, miss.word, library)
    return judge_attribute(owner, miss.word, library, shapes, of_class=miss.of_class, called=miss.called)


def judge_attribute(
    owner: Definition, word: str, library: Library, shapes: Shapes, *, of_class: bool, called: bool
) -> Judged | None:
    """Return the verdict on an attribute that a class of the packages does not define.

    Args:
        owner: The class.
        word: The attribute.
        library: The packages.
        shapes: What their classes answer to.
        of_class: Whether an object of the class is meant, not the class itself.
        called: Whether it is called, or said to be a method.
    """
    shape = shapes.of(owner)
    if word in shape.written:
        place = f"{owner.simple_name} ({owner.file}:{owner.line}) inherits {word}"
        return Judged(f"{library.names.public(owner)}.{word}", "right", place)
    if word in shape.names or shape.unknown:
        return None
    heirs = [*library.index.subclasses(owner.name)]
    if any(word in shapes.of(heir).names for heir in heirs) or word in library.set_from_outside:
        return None
    # What is said to be a method is in the class; other attributes may come from a `__getattr__` or from a user.
    is_method = called and not of_class
    if shape.answers_any and word in library.words and not is_method:
        return None
    # `__getattr__` gives what users put into an object; a private name that no source has is none of that.
    if shape.answers_any and not word.startswith("_") and not is_method:
        return None
    public = library.names.public(owner)
    target = f"{public}.{word}"
    evidence = f"{owner.simple_name} ({owner.file}:{owner.line}) has no {word}"
    elsewhere = [found for found in library.names.definitions(word) if found.kind in ("method", "attribute")]
    elsewhere = [found for found in elsewhere if library.names.is_public(found) and found.parent != owner.name]
    if len({found.parent for found in elsewhere}) == 1:
        evidence += f"; {library.shown(elsewhere[0])} does"
        return Judged(target, "wrong", evidence, library.names.public(elsewhere[0]))
    near = get_close_matches(word, sorted(shape.names), n=1, cutoff=0.72)
    return Judged(target, "wrong", evidence, f"{public}.{near[0]}" if near else "")


def judge_parameter(word: str, owner: Definition, library: Library) -> Judged | None:
    """Return the verdict on a parameter of a function, a method or a class's constructor.

    Args:
        word: The parameter.
        owner: What takes it.
        library: The packages.
    """
    from fxanchor.checking.signatures import signature

    known = signature(owner, library)
    public = library.names.public(owner)
    if known is None:
        return None
    if word in known.keyword or word in known.positional:
        return Judged(f"{public}({word})", "right", f"{known.shown} at {known.definition.file}:{known.definition.line}")
    if known.any_keyword or word in ("self", "cls"):
        return None
    evidence = f"{public} has no parameter {word}: {known.shown}"
    takers = {found.parent for found in library.index.named(word, ("parameter",))}
    others = sorted({library.names.public(one) for one in _taking(takers, library)})
    if others:
        evidence += f"; {' and '.join(others[:2])} {'takes' if len(others) == 1 else 'take'} one"
    near = get_close_matches(word, known.keyword, n=1, cutoff=0.6)
    return Judged(
        f"{public}({word})", "wrong", evidence, f"{owner.simple_name}({near[0]}=...)" if near else known.shown
    )


def _taking(parents: set[str], library: Library) -> list[Definition]:
    found = []
    for parent in parents:
        taker = library.index.get(parent.removesuffix(".__init__") if parent.endswith(".__init__") else parent)
        if taker is not None and library.names.is_public(taker):
            found.append(taker)
    return found


def _not_importable(full: str, library: Library) -> Judged | None:
    module, _, word = full.rpartition(".")
    owner = library.names.resolve(module)
    if owner is not None and owner.kind == "module":
        return _not_in_module(owner, word, library)
    if owner is not None:
        return None
    parent = module
    while parent and library.names.covers(parent):
        known = library.names.resolve(parent)
        if known is not None:
            return _not_in_module(known, full.removeprefix(parent + ".").partition(".")[0], library, full)
        parent = parent.rpartition(".")[0]
    return None


def _not_in_module(owner: Definition, word: str, library: Library, full: str = "") -> Judged | None:
    """Return the verdict on a name that a module does not have."""
    if owner.kind != "module":
        return None
    source = "".join(library.index.lines(owner))
    folder = library.index.path(owner).parent
    if (
        word.startswith("__")
        or _MAKES_NAMES.search(source)
        or any(folder.glob(f"{word}.*"))
        or (folder / word).exists()
    ):
        return None
    if any(not library.names.covers(star) for star in re.findall(r"^from\s+([\w.]+)\s+import\s+\*", source, re.M)):
        return None
    target = full or f"{owner.name}.{word}"
    evidence = f"{owner.name} ({owner.file}) has no {word}"
    last = target.rpartition(".")[2]
    known = [found for found in library.names.definitions(last) if library.names.is_public(found)]
    known = [found for found in known if found.kind in ("module", "class", "function")]
    if known:
        first = library.names.first(known)
        assert first is not None
        others = {library.names.public(found) for found in known}
        verdict: Verdict = "moved" if len(others) == 1 else "wrong"
        return Judged(target, verdict, f"{evidence}; {library.shown(first)} is elsewhere", library.names.public(first))
    near = library.nearest_in(owner, last)
    return Judged(target, "wrong", evidence, library.names.public(near) if near else "")


def _inside(surface: str) -> str:
    return re.sub(r"\[[^\[\]]*\]$", "", surface)
