"""Dotted names -> the definitions they mean: through imports, re-exports, aliases and base classes."""

from dataclasses import dataclass
from typing import Protocol

from fxanchor.source.rows import ATTRIBUTE, CLASS, FUNCTION, LOCALS, METHOD, MODULE, OPEN

# Longer chains of re-exports are loops.
MAX_CHAIN = 40
_ALIASED = (MODULE, CLASS, FUNCTION, METHOD)


@dataclass(frozen=True, slots=True)
class Entry:
    """What a simple name is in one scope: a definition, an import, or both.

    Attributes:
        kind: Kind number of the definition, or None when there is only an import.
        alias: Dotted right-hand side, when the definition is `X = Y`.
        target: Absolute name that the import binds, or "".
        wins: Whether the import is the real one of the two.
    """

    kind: int | None
    alias: str = ""
    target: str = ""
    wins: bool = False


class Table(Protocol):
    """Where the names of an index are looked up."""

    def entry(self, scope: str, simple: str) -> Entry | None:
        """Return what a simple name is in a scope."""

    def is_module(self, name: str) -> bool:
        """Return whether there is a module of this name."""

    def stars(self, module: str) -> list[tuple[str, bool]]:
        """Return the modules whose names are imported by `*`, each with whether that never runs."""

    def exported(self, module: str) -> frozenset[str] | None:
        """Return the names of `__all__`, or None when the module has none."""

    def base_texts(self, name: str) -> tuple[str, ...]:
        """Return the base classes of a class as written."""


@dataclass(frozen=True, slots=True)
class Found:
    """A definition that a name leads to."""

    name: str
    kind: int


class Resolver:
    """Follows names through a table."""

    def __init__(self, table: Table) -> None:
        """Take the table whose names are followed."""
        self.table = table
        self._orders: dict[str, tuple[str, ...]] = {}

    def absolute(self, dotted: str, seen: frozenset[tuple[str, str]] = frozenset()) -> Found | None:
        """Return what an absolute dotted name means, or None.

        The longest module in it is tried first; where a package binds the name of one of its modules to something
        else (`from .ffs import ffs`), the bare name means that, as at run time.
        """
        parts = dotted.split(".")
        for length in range(len(parts) - 1, 0, -1):
            module = ".".join(parts[:length])
            if self.table.is_module(module) and (found := self._steps(Found(module, MODULE), parts[length:], seen)):
                return found
        return Found(dotted, MODULE) if self.table.is_module(dotted) else None

    def within(self, dotted: str, scope: str, seen: frozenset[tuple[str, str]] = frozenset()) -> Found | None:
        """Return what a dotted expression means where it is written, or None.

        Args:
            dotted: A name or attribute chain such as `nn.Module`.
            scope: Qualified name of the module, class or function whose body it is written in.
            seen: Lookups under way, which end a loop.
        """
        head, _, rest = dotted.partition(".")
        parts = rest.split(".") if rest else []
        module = self.module_of(scope)
        while scope != module:
            entry = self.table.entry(scope, head)
            if entry and (scope, head) not in seen:
                found = self._entry(Found(scope, CLASS), head, entry, seen)
                return self._steps(found, parts, seen) if found else None
            scope = scope.rpartition(".")[0]
        entry = self.table.entry(module, head) if module else None
        if entry and entry.target and (entry.wins or entry.kind is None):
            if found := self.absolute(".".join([entry.target, *parts]), seen):
                return found
            if entry.kind is None:
                return None
        return self._steps(Found(module, MODULE), [head, *parts], seen) if module else None

    def spelled(self, dotted: str, scope: str) -> str:
        """Return the absolute name that an expression stands for by the imports of its module, known or not."""
        head, dot, rest = dotted.partition(".")
        module = self.module_of(scope)
        entry = self.table.entry(module, head)
        if entry and entry.target and (entry.wins or entry.kind is None):
            return entry.target + dot + rest
        return f"{module}.{dotted}" if entry else dotted

    def module_of(self, name: str) -> str:
        """Return the module that a qualified name lies in, or ""."""
        while name and not self.table.is_module(name):
            name = name.rpartition(".")[0]
        return name

    def order(self, name: str) -> tuple[str, ...]:
        """Return the method resolution order of a class, as far as its bases are in the index, itself first."""
        if name not in self._orders:
            self._orders[name] = (name,)
            bases = self.bases(name)
            sequences = [list(self.order(base)) for base in bases]
            self._orders[name] = (name, *_merged([*sequences, list(bases)]))
        return self._orders[name]

    def bases(self, name: str) -> list[str]:
        """Return the qualified names of the base classes that are in the index."""
        scope = name.rpartition(".")[0]
        names = []
        for text in self.table.base_texts(name):
            found = self.within(text.partition("[")[0], scope, frozenset({(scope, name.rpartition(".")[2])}))
            if found and found.kind == CLASS and found.name != name:
                names.append(found.name)
        return list(dict.fromkeys(names))

    def _steps(self, found: Found | None, parts: list[str], seen: frozenset[tuple[str, str]]) -> Found | None:
        for part in parts:
            if found is None or len(seen) > MAX_CHAIN:
                return None
            found = self._step(found, part, seen)
        return found

    def _step(self, found: Found, part: str, seen: frozenset[tuple[str, str]]) -> Found | None:
        if found.kind == MODULE:
            return self._from_module(found.name, part, seen)
        if found.kind == CLASS:
            for owner in self.order(found.name):
                entry = self.table.entry(owner, part)
                if entry and (inherited := self._entry(Found(owner, CLASS), part, entry, seen)):
                    return inherited
            return None
        if part == LOCALS:
            return Found(f"{found.name}.{LOCALS}", FUNCTION)
        entry = self.table.entry(found.name, part)
        return Found(f"{found.name}.{part}", entry.kind) if entry and entry.kind is not None else None

    def _from_module(self, module: str, part: str, seen: frozenset[tuple[str, str]]) -> Found | None:
        if (module, part) in seen:
            return Found(f"{module}.{part}", MODULE) if self.table.is_module(f"{module}.{part}") else None
        seen = seen | {(module, part)}
        entry = self.table.entry(module, part)
        if entry and (found := self._entry(Found(module, MODULE), part, entry, seen)):
            return found
        stars = self.table.stars(module)
        for target, unseen in stars:
            if not unseen and (found := self._starred(target, part, seen)):
                return found
        if self.table.is_module(f"{module}.{part}"):
            return Found(f"{module}.{part}", MODULE)
        # What a type checker alone imports brings no modules along: nothing has loaded them.
        typed = (self._starred(target, part, seen) for target, unseen in stars if unseen)
        return next((found for found in typed if found and found.kind != MODULE), None)

    def _starred(self, target: str, part: str, seen: frozenset[tuple[str, str]]) -> Found | None:
        if not self.table.is_module(target):
            return None
        exported = self.table.exported(target)
        listed = exported is not None and part in exported
        visible = not part.startswith("_") and (exported is None or OPEN in exported)
        return self._from_module(target, part, seen) if listed or visible else None

    def _entry(self, scope: Found, part: str, entry: Entry, seen: frozenset[tuple[str, str]]) -> Found | None:
        if entry.target and (entry.wins or entry.kind is None) and (found := self.absolute(entry.target, seen)):
            return found
        if entry.kind is None:
            return None
        name = f"{scope.name}.{part}"
        if entry.kind == ATTRIBUTE and entry.alias and len(seen) <= MAX_CHAIN:
            aliased = self.within(entry.alias, scope.name, seen | {(scope.name, part)})
            if aliased and aliased.kind in _ALIASED and aliased.name != name:
                return aliased
        return Found(name, entry.kind)


def _merged(sequences: list[list[str]]) -> list[str]:
    """Merge the orders of base classes as Python does (C3); where that is impossible, in the order written."""
    merged: list[str] = []
    while sequences := [sequence for sequence in sequences if sequence]:
        heads = (sequence[0] for sequence in sequences)
        tails = {name for sequence in sequences for name in sequence[1:]}
        head = next((name for name in heads if name not in tails), sequences[0][0])
        merged.append(head)
        sequences = [[name for name in sequence if name != head] for sequence in sequences]
    return merged
