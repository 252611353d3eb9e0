"""The index of one or several packages: names -> definitions, with their source, permalinks and `raise` statements."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fxanchor.progress import Progress, silent
from fxanchor.source.definition import Definition, Kind, Package, Raise
from fxanchor.source.links import permalink
from fxanchor.source.locate import find_package
from fxanchor.source.lookup import Lookup
from fxanchor.source.raises import find_raises
from fxanchor.source.resolve import Found, Resolver
from fxanchor.source.rows import MODULE, OPEN
from fxanchor.source.store import Store, StoreFile, open_store, store_file


def open_index(names: Sequence[str], *, source: Path | None = None, progress: Progress = silent) -> "Index":
    """Open the index of packages, from the cache when nothing has changed.

    Args:
        names: Import or distribution names, such as `torch.fx`. A package inside another that is named too is
            served by the index of the outer one.
        source: A directory, a wheel or an sdist to read in place of what is installed.
        progress: Told how many files are read when the index must be built.

    Returns:
        The index.

    Raises:
        UsageError: When there is no such package.
        InputError: When its source cannot be read.
    """
    return plan_index(names, source=source).open(progress)


def plan_index(names: Sequence[str], *, source: Path | None = None) -> "IndexPlan":
    """Find what an index has to be made of, without making it.

    Args:
        names: As for `open_index`.
        source: As for `open_index`.

    Raises:
        UsageError: When there is no such package.
        InputError: When its source cannot be read.
    """
    found = [find_package(name, source=source) for name in names]
    packages = tuple({package.name: package for package in found}.values())
    outer = [
        package
        for package in packages
        if not any(package.name.startswith(f"{other.name}.") and package.root == other.root for other in packages)
    ]
    return IndexPlan(packages, tuple(store_file(package) for package in outer))


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """The packages of an index, and the files that it is kept in.

    Attributes:
        packages: The packages asked for, in that order.
        files: One for every package that is not inside another of them.
    """

    packages: tuple[Package, ...]
    files: tuple[StoreFile, ...]

    def stale(self) -> tuple[StoreFile, ...]:
        """Return the files that must be made before the index can be opened."""
        return tuple(file for file in self.files if not file.is_current())

    def open(self, progress: Progress) -> "Index":
        """Make what is stale and open the index.

        Args:
            progress: Told how many files are read when the index must be built.
        """
        return Index(self.packages, [open_store(file, progress) for file in self.files])


class Index:
    """The definitions of packages, by name.

    Attributes:
        packages: The packages asked for, in that order.
    """

    def __init__(self, packages: Sequence[Package], stores: Sequence[Store]) -> None:
        """Join the stores of the packages; use `open_index`."""
        self.packages = tuple(packages)
        self._lookup = Lookup(stores)
        self._resolver = Resolver(self._lookup)
        self._public = cache(self._public_name)
        self._files: dict[Path, list[str]] = {}

    def get(self, qualified: str) -> Definition | None:
        """Return the definition of exactly this qualified name, or None."""
        return self._lookup.definition(qualified)

    def resolve(self, dotted: str) -> Definition | None:
        """Return the definition that a name leads to, or None.

        Follows re-exports, aliases and base classes. The name may be absolute (`torch.fx.Tracer.create_proxy`), or
        begin inside one of the packages (`fx.Tracer`, `Tracer.trace`), or with the name of a class or function that
        only one module of the index defines, or only one re-exports (`ShapeProp.propagate`).
        """
        found = self._resolver.absolute(dotted) or self._relative(dotted)
        return self.get(found.name) if found else self.get(dotted)

    def resolve_in(self, scope: str, dotted: str) -> Definition | None:
        """Return what an expression such as `nn.Module` means where it is written, or None.

        Args:
            scope: Qualified name of the module, class or function whose body it stands in.
            dotted: The name or attribute chain.
        """
        found = self._resolver.within(dotted, scope)
        return self.get(found.name) if found else None

    def spelled(self, scope: str, dotted: str) -> str:
        """Return the absolute name that an expression stands for by the imports of its module.

        It may lie outside the index: `nn.Module` in a module of torch.fx is `torch.nn.Module`.
        """
        return self._resolver.spelled(dotted, scope)

    def named(self, simple_name: str, kinds: Sequence[Kind] = ()) -> tuple[Definition, ...]:
        """Return all definitions of a simple name, public ones first, then by qualified name.

        Args:
            simple_name: The last part of the name.
            kinds: Only these kinds; all when empty.
        """
        return self._lookup.named(simple_name, kinds)

    def simple_names(self) -> tuple[str, ...]:
        """Return every simple name that something of the packages has, sorted: what a misspelt name is near to."""
        return tuple(self._lookup.simple_names())

    def names_from(self, start: str) -> tuple[str, ...]:
        """Return the simple names that are longer than `start` and begin with it, sorted."""
        return tuple(self._lookup.names_from(start))

    def members(self, qualified: str) -> dict[str, Definition]:
        """Return what can be reached through a class (with what it inherits) or a module (with what it imports).

        Args:
            qualified: Qualified name of the class or module.

        Returns:
            Definitions by the name they have there; sorted by it.
        """
        found = ((name, self._resolver.absolute(f"{qualified}.{name}")) for name in self.member_names(qualified))
        definitions = ((name, self.get(each.name)) for name, each in found if each)
        return {name: definition for name, definition in definitions if definition}

    def member_names(self, qualified: str) -> tuple[str, ...]:
        """Return the names that `members` looks at, sorted; among them are those of what lies outside the index."""
        owner = self.get(qualified)
        if owner is None or owner.kind not in ("class", "module"):
            return ()
        scopes = self._resolver.order(qualified) if owner.kind == "class" else (qualified,)
        return tuple(sorted({name for scope in scopes for name in self._lookup.names(scope)}))

    def order(self, qualified: str) -> tuple[Definition, ...]:
        """Return the method resolution order of a class, as far as it lies in the index, itself first."""
        found = (self.get(name) for name in self._resolver.order(qualified))
        return tuple(definition for definition in found if definition)

    def module_of(self, definition: Definition) -> str:
        """Return the qualified name of the module that a definition stands in."""
        return self._resolver.module_of(definition.name)

    def subclasses(self, spelled: str) -> tuple[Definition, ...]:
        """Return the classes that name a base class by this absolute name, which may lie outside the index."""
        found = (self.get(name) for name in self._lookup.subclasses(spelled))
        return tuple(definition for definition in found if definition)

    def files(self) -> dict[str, Definition]:
        """Return the module of every file of the packages, by the file as `Definition.file` gives it; sorted."""
        found = {file: self.get(name) for file, name in self._lookup.files().items()}
        return {file: module for file, module in found.items() if module}

    def defined_in(self, file: str) -> tuple[Definition, ...]:
        """Return what a file of the packages defines, parameters left out, by line; the outer before the inner."""
        return tuple(self._lookup.defined_in(file))

    def defined_by(self, owner: Definition) -> tuple[Definition, ...]:
        """Return what the body of a class, module or function defines itself, by line; not what it inherits."""
        return tuple(self._lookup.defined_by(owner.name))

    def public_name(self, qualified: str) -> str:
        """Return the shortest public spelling of a definition (`torch.fx.GraphModule`), else its own name."""
        return self._public(qualified)

    def public_names(self) -> tuple[str, ...]:
        """Return the public names of the packages: their `__all__`, else what their `__init__` binds openly."""
        return tuple(sorted({name for package in self.packages for name in self._exports(package.name)}))

    def package_of(self, definition: Definition) -> Package:
        """Return the package that a definition belongs to."""
        inside = [each for each in self.packages if f"{definition.name}.".startswith(f"{each.name}.")]
        return max(inside, key=lambda package: len(package.name))

    def first_line(self, definition: Definition) -> int:
        """Return the line of the first decorator, or of the definition itself: `co_firstlineno` of its code."""
        return definition.line - self._lookup.decorator_lines(definition.name)

    def lines(self, definition: Definition) -> list[str]:
        """Return the lines of the definition's whole file, with their ends; empty when it cannot be read."""
        path = self.path(definition)
        if path not in self._files:
            self._files[path] = _read_lines(path)
        return self._files[path]

    def path(self, definition: Definition) -> Path:
        """Return the file of a definition."""
        return self.package_of(definition).root / definition.file

    def source(self, definition: Definition) -> str:
        """Return the source of a definition as written, without its decorators; "" when the file has gone."""
        lines = self.lines(definition)
        return "".join(lines[definition.line - 1 : definition.end_line])

    def raises(self, definition: Definition) -> tuple[Raise, ...]:
        """Return the `raise` statements of a definition, those of functions nested in it too, in their order."""
        if definition.kind in ("attribute", "parameter") and " " not in self.source(definition).strip():
            return ()
        return find_raises("".join(self.lines(definition)), definition)

    def permalink(self, definition: Definition) -> str:
        """Return a GitHub address that shows exactly these lines for ever, or "" where that is not certain."""
        return permalink(self.package_of(definition), definition)

    def _exports(self, package: str) -> list[str]:
        known = self._lookup.exports(package)
        if known is not None:
            return known
        # A package inside another's index: without `__all__`, what its `__init__` binds and the index holds.
        exported = self._lookup.exported(package)
        if exported is not None:
            return [f"{package}.{name}" for name in exported if name != OPEN]
        bound = (name for name in self._lookup.names(package) if not name.startswith("_"))
        found = ((name, self._resolver.absolute(f"{package}.{name}")) for name in bound)
        return [
            f"{package}.{name}"
            for name, each in found
            if each and (each.kind != MODULE or self._lookup.entry(package, name))
        ]

    def _relative(self, dotted: str) -> Found | None:
        head, _, rest = dotted.partition(".")
        for package in self.packages:
            prefix, _, last = package.name.rpartition(".")
            tries = [f"{package.name}.{dotted}", f"{prefix}.{dotted}" if prefix and last == head else ""]
            for name in filter(None, tries):
                if found := self._resolver.absolute(name):
                    return found
        heads = [each for each in self._lookup.named(head, ("class", "function")) if "<locals>" not in each.name]
        if len(heads) > 1:
            heads = [each for each in heads if self._lookup.spelling(each.name)]
        if len(heads) != 1:
            return None
        return self._resolver.absolute(f"{heads[0].name}.{rest}" if rest else heads[0].name)

    def _public_name(self, qualified: str) -> str:
        parts = qualified.split(".")
        for length in range(len(parts), 0, -1):
            if spelling := self._lookup.spelling(".".join(parts[:length])):
                return ".".join([spelling, *parts[length:]])
        return qualified


def _read_lines(path: Path) -> list[str]:
    import tokenize

    try:
        with tokenize.open(path) as file:
            return file.readlines()
    except (OSError, SyntaxError, UnicodeDecodeError):
        return []
