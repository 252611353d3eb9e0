"""Questions to the stores of an index, answered as data classes; what is asked again is remembered."""

import json
import sys
from collections.abc import Sequence

from fxanchor.source.definition import Definition, Kind
from fxanchor.source.resolve import Entry
from fxanchor.source.rows import KINDS, LOCALS, MODULE, OPEN
from fxanchor.source.store import Store

_ENTRY = "SELECT kind, alias FROM definitions WHERE scope = ? AND simple = ?"
_IMPORT = "SELECT target, wins FROM imports WHERE scope = ? AND simple = ?"
_COLUMNS = "simple, kind, line, end_line, bases, annotation, value, doc"
_NAMED = f"SELECT s.name, s.file, {_COLUMNS} FROM definitions d JOIN scopes s ON s.id = d.scope WHERE d.simple = ?"
_MODULE = "SELECT file, lines, doc FROM modules WHERE name = ?"
# Where a package's name is, without a definition of its own: a directory without `__init__`.
_NAMESPACE = "SELECT 1 FROM modules WHERE name >= ? AND name < ? LIMIT 1"


class Lookup:
    """The table in which names are resolved."""

    def __init__(self, stores: Sequence[Store]) -> None:
        """Take the stores; they do not overlap."""
        self._stores = stores
        self._scopes: dict[str, list[tuple[Store, int, str]]] = {}
        self._entries: dict[tuple[str, str], Entry | None] = {}
        self._modules: dict[str, bool] = {}
        self._stars: dict[str, list[tuple[str, bool]]] = {}
        self._exported: dict[str, frozenset[str] | None] = {}
        self._by_simple_name: dict[str, list[str]] = {}

    def entry(self, scope: str, simple: str) -> Entry | None:
        """Return what a simple name is in a scope."""
        key = (scope, simple)
        if key not in self._entries:
            self._entries[key] = self._entry(scope, simple)
        return self._entries[key]

    def is_module(self, name: str) -> bool:
        """Return whether there is a module or namespace of this name."""
        if name not in self._modules:
            self._modules[name] = any(
                store.rows("SELECT 1 FROM modules WHERE name = ?", (name,))
                or store.rows(_NAMESPACE, (f"{name}.", f"{name}/"))
                for store in self._within(name)
            )
        return self._modules[name]

    def stars(self, module: str) -> list[tuple[str, bool]]:
        """Return the modules whose names are imported by `*`; the last import first, as it wins at run time."""
        if module not in self._stars:
            sql = "SELECT target, unseen FROM stars WHERE module = ? ORDER BY position DESC"
            found = [row for store in self._within(module) for row in store.rows(sql, (module,))]
            self._stars[module] = [(str(target), bool(unseen)) for target, unseen in found]
        return self._stars[module]

    def exported(self, module: str) -> frozenset[str] | None:
        """Return the names of `__all__`, or None when the module has none."""
        if module not in self._exported:
            sql = "SELECT exported FROM modules WHERE name = ?"
            found = [row[0] for store in self._within(module) for row in store.rows(sql, (module,))]
            self._exported[module] = frozenset(json.loads(str(found[0]))) if found and found[0] else None
        return self._exported[module]

    def base_texts(self, name: str) -> tuple[str, ...]:
        """Return the base classes of a class as written."""
        definition = self.definition(name)
        return definition.bases if definition else ()

    def definition(self, name: str) -> Definition | None:
        """Return the definition of a qualified name; a module gives way to a definition that its package holds."""
        scope_name, _, simple = name.rpartition(".")
        for store, number, file in self._scope(scope_name):
            sql = f"SELECT {_COLUMNS} FROM definitions WHERE scope = ? AND simple = ?"
            for row in store.rows(sql, (number, simple)):
                return _definition(scope_name, file, row)
        for store in self._within(name):
            for path, lines, doc in store.rows(_MODULE, (name,)):
                return Definition(name, "module", str(path), 1, int(str(lines)), scope_name, doc=str(doc))
        return None

    def decorator_lines(self, name: str) -> int:
        """Return the number of lines that the decorators of a definition take above its `def` or `class`."""
        scope_name, _, simple = name.rpartition(".")
        sql = "SELECT decorators FROM definitions WHERE scope = ? AND simple = ?"
        for store, number, _ in self._scope(scope_name):
            for (lines,) in store.rows(sql, (number, simple)):
                return int(str(lines or 0))
        return 0

    def named(self, simple: str, kinds: Sequence[Kind]) -> tuple[Definition, ...]:
        """Return all definitions of a simple name, public ones first."""
        wanted = [KINDS.index(kind) for kind in kinds] or list(range(len(KINDS)))
        sql = f"{_NAMED} AND d.kind IN ({','.join('?' * len(wanted))})"
        found = []
        for store in self._stores:
            rows = store.rows(sql, (simple, *wanted))
            found += [_definition(str(row[0]), str(row[1]), row[2:]) for row in rows]
        if MODULE in wanted:
            modules = (self.definition(name) for name in self._modules_called(simple))
            found += [module for module in modules if module and module.kind == "module"]
        return tuple(sorted(found, key=lambda each: (_is_private(each.name), each.name)))

    def names(self, scope_name: str) -> list[str]:
        """Return the simple names that a class or module binds, sub-modules and `*` imports too."""
        return sorted(self._names(scope_name, set()))

    def _names(self, scope_name: str, seen: set[str]) -> set[str]:
        seen.add(scope_name)
        names: set[str] = set()
        for store, number, _ in self._scope(scope_name):
            for table in ("definitions", "imports"):
                names |= {str(row[0]) for row in store.rows(f"SELECT simple FROM {table} WHERE scope = ?", (number,))}
        if self.is_module(scope_name):
            for store in self._within(scope_name):
                inside = store.rows(
                    "SELECT name FROM modules WHERE name >= ? AND name < ?", (f"{scope_name}.", f"{scope_name}/")
                )
                names |= {str(row[0])[len(scope_name) + 1 :].partition(".")[0] for row in inside}
            names |= self._starred(scope_name, seen)
        return names

    def simple_names(self) -> list[str]:
        """Return every simple name but those of parameters, sorted."""
        found = [row[0] for store in self._stores for row in store.rows("SELECT simple FROM names ORDER BY simple")]
        return [str(name) for name in (found if len(self._stores) == 1 else sorted(set(found), key=str))]

    def names_from(self, start: str) -> list[str]:
        """Return every simple name, but those of parameters, that is longer than `start` and begins with it, sorted."""
        sql = "SELECT simple FROM names WHERE simple > ? AND simple < ? ORDER BY simple"
        bounds = (start, start + chr(sys.maxunicode))
        return sorted({str(row[0]) for store in self._stores for row in store.rows(sql, bounds)})

    def subclasses(self, base: str) -> list[str]:
        """Return the qualified names of the classes that name this base."""
        sql = "SELECT name FROM subclasses WHERE base = ? ORDER BY name"
        return [str(row[0]) for store in self._stores for row in store.rows(sql, (base,))]

    def files(self) -> dict[str, str]:
        """Return every file of the packages with the name of its module, sorted by file."""
        found = [row for store in self._stores for row in store.rows("SELECT file, name FROM modules")]
        return {str(file): str(name) for file, name in sorted(found, key=str)}

    def defined_in(self, file: str) -> list[Definition]:
        """Return what a file defines, parameters left out, in its order; the outer before the inner."""
        joined = "definitions d JOIN scopes s ON s.id = d.scope"
        sql = f"SELECT s.name, {_COLUMNS} FROM {joined} WHERE s.file = ? AND kind != ?"
        rows = [row for store in self._stores for row in store.rows(sql, (file, KINDS.index("parameter")))]
        found = [_definition(str(row[0]), file, row[1:]) for row in rows]
        return sorted(found, key=lambda each: (each.line, -each.end_line, each.name))

    def defined_by(self, scope_name: str) -> list[Definition]:
        """Return what the body of a class, module or function defines itself, by line."""
        sql = f"SELECT {_COLUMNS} FROM definitions WHERE scope = ?"
        found = [
            _definition(scope_name, file, row)
            for store, number, file in self._scope(scope_name)
            for row in store.rows(sql, (number,))
        ]
        return sorted(found, key=lambda each: (each.file, each.line, each.name))

    def spelling(self, name: str) -> str:
        """Return the public spelling of a definition, or "" when it has none but its own."""
        sql = "SELECT spelling FROM public WHERE name = ?"
        return next((str(row[0]) for store in self._within(name) for row in store.rows(sql, (name,))), "")

    def exports(self, package: str) -> list[str] | None:
        """Return the public names of a package that has a store of its own, else None."""
        for store in self._within(package):
            if store.package.name == package:
                return [str(row[0]) for row in store.rows("SELECT name FROM exports ORDER BY name")]
        return None

    def _within(self, name: str) -> list[Store]:
        """Return the stores that can hold a name."""
        return [store for store in self._stores if f"{name}.".startswith(f"{store.package.name}.")]

    def _scope(self, name: str) -> list[tuple[Store, int, str]]:
        """Return the scopes of a name: several when a class of a package is called as one of its modules."""
        if name not in self._scopes:
            sql = "SELECT id, file FROM scopes WHERE name = ? ORDER BY file"
            self._scopes[name] = [
                (store, int(str(number)), str(file))
                for store in self._within(name)
                for number, file in store.rows(sql, (name,))
            ]
        return self._scopes[name]

    def _entry(self, scope_name: str, simple: str) -> Entry | None:
        found: Entry | None = None
        for store, number, _ in self._scope(scope_name):
            defined = store.rows(_ENTRY, (number, simple))
            # What a file only imports may be defined in the stub beside it, which is a further scope of this name.
            bound = [] if found else store.rows(_IMPORT, (number, simple))
            if defined or bound:
                kind, alias = defined[0] if defined else (None, "")
                target, wins = bound[0] if bound else (found.target, True) if found else ("", False)
                found = Entry(None if kind is None else int(str(kind)), str(alias or ""), str(target), bool(wins))
                if kind is not None:
                    return found
        return found

    def _modules_called(self, simple: str) -> list[str]:
        if not self._by_simple_name:
            for store in self._stores:
                for (name,) in store.rows("SELECT name FROM modules ORDER BY name"):
                    self._by_simple_name.setdefault(str(name).rpartition(".")[2], []).append(str(name))
        return self._by_simple_name.get(simple, [])

    def _starred(self, module: str, seen: set[str]) -> set[str]:
        names: set[str] = set()
        for target, _ in self.stars(module):
            if target in seen:
                continue
            exported = self.exported(target)
            offered = self._names(target, seen)
            names |= offered & (exported or frozenset())
            if exported is None or OPEN in exported:
                names |= {name for name in offered if not name.startswith("_")}
        return names


def _definition(scope: str, file: str, row: Sequence[object]) -> Definition:
    simple, kind, line, end_line, bases, annotation, value, doc = row
    return Definition(
        name=f"{scope}.{simple}",
        kind=KINDS[int(str(kind))],  # type: ignore[arg-type]
        file=file,
        line=int(str(line)),
        end_line=int(str(end_line)),
        parent=scope.removesuffix(f".{LOCALS}"),
        bases=tuple(json.loads(str(bases))) if bases else (),
        annotation=str(annotation or ""),
        value=str(value or ""),
        doc=str(doc or ""),
    )


def _is_private(name: str) -> bool:
    return any(part.startswith("_") for part in name.split("."))
