"""The public spelling of every definition: the shortest dotted name under which a user may import it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fxanchor.source.resolve import Entry, Resolver
from fxanchor.source.rows import MODULE, OPEN, DefinitionRow, FileRows, ImportRow, ScopeRows


@dataclass(slots=True)
class _Module:
    is_package: bool
    is_stub: bool
    exported: frozenset[str] | None
    listed: list[str]
    stars: list[tuple[str, bool]]
    entries: dict[str, Entry] = field(default_factory=dict)
    kept: set[str] = field(default_factory=set)

    def shows(self, name: str) -> bool:
        """Return whether a name can be imported from here: a stub keeps what it imports to itself."""
        return not self.is_stub or name in self.kept or self.entries[name].kind is not None


class PublicNames:
    """Collects the module-level names of a package and then says how each definition is spelled in public.

    A name is public where `__all__` lists it, or where a package without `__all__` binds it without an underscore;
    `import x as x` and `from m import *` re-export by convention (typing documentation, "library interface").
    """

    def __init__(self) -> None:
        """Start without modules."""
        self._modules: dict[str, _Module] = {}

    def add(self, rows: FileRows) -> None:
        """Take in the module-level names of one file."""
        exported = None if rows.exported is None else frozenset(rows.exported)
        module = _Module(
            rows.is_package, rows.file.endswith(".pyi"), exported, list(dict.fromkeys(rows.exported or [])), rows.stars
        )
        self._modules[rows.module] = module
        for scope in rows.scopes:
            if scope.name != rows.module or scope.file:
                continue
            for values in scope.definitions:
                row = DefinitionRow(*values)  # type: ignore[arg-type]
                module.entries[row.simple] = Entry(row.kind, row.alias)
            for values in scope.imports:
                bound = ImportRow(*values)  # type: ignore[arg-type]
                known = module.entries.get(bound.simple, Entry(None))
                module.entries[bound.simple] = Entry(known.kind, known.alias, bound.target, bound.wins)
                if bound.kept:
                    module.kept.add(bound.simple)

    def complete(self, stubs: Sequence[ScopeRows]) -> list[ScopeRows]:
        """Take in what only stubs define, once all files are known.

        Args:
            stubs: The scopes of stubs that stand beside a file; all of a file follow each other, the module first.

        Returns:
            The scopes without what leads to a definition in some file after all.
        """
        resolver = Resolver(self)
        rows = {
            f"{scope.name}.{row.simple}": row
            for scope in stubs
            if scope.name in self._modules
            for row in (DefinitionRow(*values) for values in scope.definitions)  # type: ignore[arg-type]
        }
        missed = {name: row for name, row in rows.items() if resolver.absolute(name) is None}
        for name, row in missed.items():
            entries = self._modules[name.rpartition(".")[0]].entries
            bound = entries.get(row.simple, Entry(None))
            entries[row.simple] = Entry(row.kind, row.alias, bound.target, bound.wins)
        # Two stubs on the way to one thing may both define it: where the imports end is where it is.
        found = {name: resolver.absolute(name) for name in missed}
        own = {name for name, row in missed.items() if row.alias or ((each := found[name]) and each.name == name)}
        return [kept for scope in stubs if (kept := self._reduced(scope, own)).definitions]

    def _reduced(self, scope: ScopeRows, own: set[str]) -> ScopeRows:
        """Return a scope of a stub with the definitions that count."""
        if scope.name in self._modules:
            kept = [values for values in scope.definitions if f"{scope.name}.{values[0]}" in own]
            return scope._replace(definitions=kept)
        parts = scope.name.split(".")
        inside = any(".".join(parts[:length]) in own for length in range(1, len(parts) + 1))
        return scope if inside else scope._replace(definitions=[])

    # The table that names are resolved in.
    def entry(self, scope: str, simple: str) -> Entry | None:
        """Return what a simple name is in a module."""
        module = self._modules.get(scope)
        return module.entries.get(simple) if module else None

    def is_module(self, name: str) -> bool:
        """Return whether there is a module of this name."""
        return name in self._modules

    def stars(self, module: str) -> list[tuple[str, bool]]:
        """Return the modules whose names are imported by `*`."""
        known = self._modules.get(module)
        return known.stars if known else []

    def exported(self, module: str) -> frozenset[str] | None:
        """Return the names of `__all__`, or None."""
        known = self._modules.get(module)
        return known.exported if known else None

    def base_texts(self, name: str) -> tuple[str, ...]:
        """Return nothing: members of classes are spelled by their class."""
        return ()

    def spellings(self) -> dict[str, str]:
        """Return the public spelling of each definition that has a shorter or more public one than its own."""
        resolver = Resolver(self)
        best: dict[str, str] = {}
        for name, module in sorted(self._modules.items()):
            if _is_private(name) or not (module.is_package or module.exported is not None):
                continue
            for simple in self._offered(name, set()):
                entry = module.entries.get(simple)
                found = resolver.absolute(f"{name}.{simple}")
                if found is None or (entry and entry.kind is not None and not entry.target and not entry.alias):
                    continue
                spelled = f"{name}.{simple}"
                if _cost(spelled, found.name) < _cost(best.get(found.name, found.name), found.name):
                    best[found.name] = spelled
        return best

    def exports(self, package: str) -> list[str]:
        """Return the public names of the package itself, with the package in front, sorted."""
        module = self._modules.get(package)
        if module is None:
            return []
        resolver = Resolver(self)
        own = module.exported or frozenset()
        names = {name for name in self._offered(package, set()) if not name.startswith("_") or name in own}
        if module.exported is None:
            names = {name for name in names if self._is_own(resolver, package, name)}
        return sorted(f"{package}.{name}" for name in names)

    def _is_own(self, resolver: Resolver, package: str, name: str) -> bool:
        found = resolver.absolute(f"{package}.{name}")
        if found is None:
            return False
        module = self._modules[package]
        return module.is_package or found.kind == MODULE or found.name == f"{package}.{name}"

    def _offered(self, name: str, seen: set[str]) -> Iterator[str]:
        """Yield the names that a module offers in public."""
        module = self._modules.get(name)
        if module is None or name in seen:
            return
        seen.add(name)
        if module.exported is not None:
            yield from (each for each in module.listed if each != OPEN)
            yield from sorted(each for each in module.kept if not each.startswith("_"))
        else:
            yield from (each for each in module.entries if not each.startswith("_") and module.shows(each))
        if module.exported is None or OPEN in module.exported:
            for target, _ in module.stars:
                yield from self._offered(target, seen)


def _is_private(name: str) -> bool:
    return any(part.startswith("_") for part in name.split("."))


def _cost(spelled: str, definition: str) -> tuple[bool, bool, int, str]:
    renamed = spelled.rpartition(".")[2] != definition.rpartition(".")[2]
    return _is_private(spelled), renamed, spelled.count("."), spelled
