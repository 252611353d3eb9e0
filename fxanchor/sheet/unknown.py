"""What to say of a name that no definition has: what the source does know of it, and what may be meant."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from fxanchor.source.definition import Definition
from fxanchor.source.settings import find_settings

if TYPE_CHECKING:
    from fxanchor.source.index import Index

_MOST = 3
_LIKE = 0.6
_MOST_LINES = 4
_MOST_PARTS = 20


def describe_unknown(name: str, index: "Index") -> str:
    """Return sentences on a name that leads to no definition; the last one is what to do next.

    Args:
        name: The name, simple or dotted.
        index: Where it was looked for.
    """
    packages = ", ".join(package.name for package in index.packages)
    said = [f"The source of {packages} defines nothing called {name}."]
    parts = [part for part in name.split(".") if part]
    owner, known = _owner(parts, index)
    if owner is None:
        near = _by_spelling(parts, index)
        said.append(_question(near) or "Look at the names that `fxanchor map PAPER` lists.")
        return " ".join(said)
    prefix = ".".join(parts[:known])
    if owner.kind == "class":
        said += _at_run_time(owner, parts[known], index)
    near = _members_like(owner, prefix, parts[known:], index)
    said.append(_question(near) or f"`fxanchor show {prefix}` shows what {owner.simple_name} has.")
    return " ".join(said)


def _question(names: Sequence[str]) -> str:
    return f"Did you mean {' or '.join(names[:_MOST])}?" if names else ""


def _owner(parts: Sequence[str], index: "Index") -> tuple[Definition | None, int]:
    """Return the definition that the longest known beginning of a dotted name means, and how many parts that has."""
    for length in range(min(len(parts) - 1, _MOST_PARTS), 0, -1):
        if (found := index.resolve(".".join(parts[:length]))) is not None:
            return found, length
    return None, 0


def _at_run_time(owner: Definition, word: str, index: "Index") -> Iterator[str]:
    """Say where else an attribute of a class can come from."""
    settings = find_settings(index, owner)
    written = [f"{one.file}:{one.line}" for one in settings if one.name == word]
    if written:
        yield f"It is set at {' and '.join(written[:_MOST_LINES])}, when that runs."
        return
    places: dict[tuple[str, str], list[str]] = {}
    for one in settings:
        if not one.name:
            places.setdefault((one.file, one.owner.rpartition(".")[2]), []).append(str(one.line))
    for (file, simple), lines in places.items():
        at = f"line{'s' if len(lines) > 1 else ''} {' and '.join(lines[:_MOST_LINES])}"
        yield f"{file} gives {simple} attributes by `setattr` ({at}), under names that it works out when it runs."
    packages = " and ".join(package.name for package in index.packages)
    for base in _bases_outside(owner, index):
        yield f"{owner.simple_name} also inherits from {base}, which is not in {packages}."


def _bases_outside(owner: Definition, index: "Index") -> list[str]:
    found: list[str] = []
    for each in index.order(owner.name) or (owner,):
        module = index.module_of(each)
        written = [base.partition("[")[0] for base in each.bases]
        found += [index.spelled(module, base) for base in written if index.resolve_in(module, base) is None]
    # `Generic[T]` and `Protocol` only serve type checkers.
    return [base for base in dict.fromkeys(found) if "." in base and base.partition(".")[0] != "typing"]


def _members_like(owner: Definition, prefix: str, missing: Sequence[str], index: "Index") -> list[str]:
    """Return names of members that may be meant, spelled as the user began."""
    word, rest = missing[0], missing[1:]
    hidden = word.startswith("_")
    members = [each for each in index.member_names(owner.name) if hidden or not each.startswith("_")]
    near = [each for each in _like(word, members) if index.resolve(f"{owner.name}.{each}") is not None]
    if rest:
        whole = [".".join([prefix, each, *rest]) for each in near]
        near_whole = [each for each in whole if index.resolve(each) is not None]
        if near_whole:
            return near_whole
    if owner.kind == "module":
        namesakes = [each for each in index.named(missing[-1], ("class", "function")) if "<locals>" not in each.name]
        if namesakes:
            return [index.public_name(each.name) for each in namesakes]
    return [f"{prefix}.{each}" for each in near]


def _by_spelling(parts: Sequence[str], index: "Index") -> list[str]:
    known = index.simple_names()
    if not parts:
        return []
    if 1 < len(parts) <= _MOST_PARTS:
        whole = [".".join([head, *parts[1:]]) for head in get_close_matches(parts[0], known, n=_MOST, cutoff=_LIKE)]
        if found := [each for each in whole if index.resolve(each) is not None]:
            return found
    return get_close_matches(parts[-1], known, n=_MOST, cutoff=_LIKE)


def _like(word: str, names: Sequence[str]) -> list[str]:
    """Return the names most like a word: that of which it is one more form (`run` for `run_all`) before others.

    Underscores at the ends are left out, as they would make any two magic methods alike.
    """
    forms = [each for each in names if word.startswith(f"{each}_") or each.startswith(f"{word}_")]
    cores: dict[str, list[str]] = {}
    for each in names:
        cores.setdefault(each.strip("_"), []).append(each)
    close = get_close_matches(word.strip("_"), cores, n=_MOST, cutoff=_LIKE)
    return list(dict.fromkeys([*forms, *(each for core in close for each in cores[core])]))
