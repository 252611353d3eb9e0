"""From a spelling to a definition: what a name of the indexed packages can mean, and which meaning comes first."""

import sys
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from fxanchor.source.definition import Definition

if TYPE_CHECKING:
    from fxanchor.source.index import Index

_CALLABLE = ("function", "method")


class Names:
    """Look-ups in the index, each done once.

    Args:
        index: The index of the package or packages.
    """

    def __init__(self, index: "Index") -> None:
        self.index = index
        self.roots: tuple[str, ...] = tuple(package.name for package in index.packages)
        self._named: dict[str, tuple[Definition, ...]] = {}
        self._member_counts: dict[str, int] = {}
        self._member: dict[tuple[str, str], Definition | None] = {}
        self._constructors: dict[str, Definition | None] = {}
        self._by_name: dict[str, dict[str, Definition]] = {}
        self._lineage: dict[str, tuple[Definition, ...]] = {}
        self._resolved: dict[str, Definition | None] = {}
        self._public: dict[str, str] = {}
        self._ranks: dict[str, tuple[int, int, int, int, str]] = {}
        self._best: dict[str, tuple[Definition, ...]] = {}

    @cached_property
    def public_names(self) -> frozenset[str]:
        """What the packages hand out at their top."""
        return frozenset(self.index.public_names())

    @cached_property
    def public_words(self) -> dict[str, tuple[str, ...]]:
        """The public names by their last part, nearest to the package first."""
        found: dict[str, list[str]] = {}
        for name in self.public_names:
            found.setdefault(name.rpartition(".")[2], []).append(name)
        return {word: tuple(sorted(names, key=lambda name: (name.count("."), name))) for word, names in found.items()}

    def resolve(self, dotted: str) -> Definition | None:
        """Return the definition that an absolute dotted name leads to, through re-exports and inheritance."""
        if dotted not in self._resolved:
            self._resolved[dotted] = self.index.resolve(dotted) if self.covers(dotted) else None
        return self._resolved[dotted]

    def covers(self, dotted: str) -> bool:
        """Tell whether an absolute dotted name lies in one of the packages."""
        return any(dotted == root or dotted.startswith(root + ".") for root in self.roots)

    def meant(self, definition: Definition) -> Definition:
        """Return what a name of a module stands for that is set to another name: `NLE = NLE_A`."""
        if definition.kind != "attribute" or not definition.value.replace(".", "").isidentifier():
            return definition
        found = self.resolve(definition.name)
        return found if found is not None and found.kind in ("class", "function") else definition

    def member_count(self, owner: Definition) -> int:
        """Return how many members a class or module has, the inherited ones too."""
        if owner.name not in self._member_counts:
            self._member_counts[owner.name] = len(self.index.member_names(owner.name))
        return self._member_counts[owner.name]

    def public(self, definition: Definition) -> str:
        """Return the shortest public spelling of a definition, or its qualified name."""
        if definition.name not in self._public:
            self._public[definition.name] = self.index.public_name(definition.name) or definition.name
        return self._public[definition.name]

    def definitions(self, word: str) -> tuple[Definition, ...]:
        """Return all definitions with this last part but parameters, in the order of the index."""
        if word not in self._named:
            self._named[word] = self.index.named(word, ("module", "class", "function", "method", "attribute"))
        return self._named[word]

    def rank(self, definition: Definition) -> tuple[int, int, int, int, str]:
        """Return how far a definition stands from the public interface; less is nearer.

        Private names come last, then what has no docstring (an internal of an extension module re-exported by its
        stub), then what lies deep.
        """
        if (known := self._ranks.get(definition.name)) is not None:
            return known
        parts = self.public(definition).split(".")
        private = sum(map(_is_private, parts)) + 2 * ("<locals>" in parts or self.in_tests(definition))
        home = sum(map(_is_private, definition.name.split(".")))
        undocumented = definition.kind == "class" and not definition.doc
        rank = (private, int(undocumented), len(parts), home, definition.name)
        self._ranks[definition.name] = rank
        return rank

    def is_as_near(self, one: Definition, other: Definition) -> bool:
        """Tell whether two definitions stand equally far from the public interface."""
        return self.rank(one)[:3] == self.rank(other)[:3]

    def in_tests(self, definition: Definition) -> bool:
        """Tell whether a definition belongs to the tests that a package ships, which no paper speaks of."""
        modules = definition.name.split(".")[:-1]
        return any(part in ("tests", "conftest") or part.startswith("test_") for part in modules)

    def best(self, word: str) -> tuple[Definition, ...]:
        """Return the modules, classes and functions of this name that anybody may use, nearest first.

        A constant counts when a package itself hands it out.
        """
        if word not in self._best:
            known = list(self.index.named(word, ("module", "class", "function")))
            for root in self.roots:
                if f"{root}.{word}" in self.public_names and (found := self.resolve(f"{root}.{word}")) is not None:
                    known.append(found)
            usable = [found for found in dict.fromkeys(known) if not self.rank(found)[0]]
            self._best[word] = tuple(sorted(usable, key=self.rank))
        return self._best[word]

    def nearest(self, word: str) -> tuple[Definition | None, bool, tuple[str, ...]]:
        """Return what a public name means, whether nothing else is as near, and the others it could mean."""
        known = self.best(word)
        if not known:
            return None, False, ()
        # A module that holds its namesake (`split_module.split_module`) is not what a bare word means.
        inner = [found for found in known[1:] if found.name == f"{known[0].name}.{word}"]
        if known[0].kind == "module" and inner:
            known = (inner[0], *(found for found in known if found is not inner[0]))
        tied = [found for found in known if self.is_as_near(found, known[0])]
        return known[0], len(tied) == 1, tuple(found.name for found in known[1:7])

    def is_public(self, definition: Definition) -> bool:
        """Tell whether a definition, or the class it is a member of, can be reached without a private name."""
        return not self.rank(definition)[0]

    def first(self, definitions: Iterable[Definition]) -> Definition | None:
        """Return the definition nearest to the public interface."""
        return min(definitions, key=self.rank, default=None)

    def dotted(self, parts: Sequence[str]) -> Definition | None:
        """Return what a dotted name means when it begins with a package, or with a module or class inside one.

        `torch.fx.Graph` begins with the package, `fx.Graph` with its last part, `passes.shape_prop` and `nn.Conv2d`
        with a module, `GraphModule.recompile` with a class.
        """
        name = ".".join(parts)
        for root in self.roots:
            for candidate in self._spellings(root, name):
                if found := self.resolve(candidate):
                    return found
        if parts[0] in sys.stdlib_module_names:
            return None
        for start in self.anchors(parts[0]):
            if found := self.descend(start, parts[1:]):
                return found
        return None

    @staticmethod
    def _spellings(root: str, name: str) -> Iterable[str]:
        """Give the absolute names that `name` may be short for beside the package `root`."""
        yield name
        parent, _, last = root.rpartition(".")
        if parent and (name == last or name.startswith(last + ".")):
            yield f"{parent}.{name}"
        yield f"{root}.{name}"

    def anchors(self, word: str) -> tuple[Definition, ...]:
        """Return the public modules and classes that a dotted name may begin with, nearest first."""
        return tuple(found for found in self.best(word) if found.kind in ("module", "class"))[:8]

    def descend(self, start: Definition, parts: Sequence[str]) -> Definition | None:
        """Follow attribute names from a definition on; a name in another case counts when it is the only one."""
        found: Definition | None = start
        for part in parts:
            if found is None:
                return None
            found = self.member(found, part)
        return found

    def member(self, owner: Definition, word: str) -> Definition | None:
        """Return a member of a class or module by its name, an inherited one too; None when it has none."""
        if owner.kind == "module":
            return self.resolve(f"{owner.name}.{word}")
        if owner.kind != "class":
            return None
        key = (owner.name, word)
        if key not in self._member:
            if word not in self._by_name:
                self._by_name[word] = {found.name: found for found in self.definitions(word)}
            known = self._by_name[word]
            found = (known.get(f"{base.name}.{word}") for base in self.lineage(owner))
            self._member[key] = next((each for each in found if each is not None), None)
        return self._member[key]

    def family(self, word: str) -> tuple[str, ...]:
        """Return the names that `word` is only the beginning of, as `BatchNorm` is of `BatchNorm2d`."""
        usable = (name for name in self.index.names_from(word) if self.best(name))
        return tuple(islice(usable, 6))

    def module_of(self, definition: Definition) -> str:
        """Return the qualified name of the module a definition stands in."""
        name = definition.name
        found = self.index.get(name)
        while found is not None and found.kind != "module":
            name = name.rpartition(".")[0]
            found = self.index.get(name)
        return name

    def lineage(self, definition: Definition) -> tuple[Definition, ...]:
        """Return a class and its base classes as far as the packages define them, nearest first."""
        if definition.name not in self._lineage:
            self._lineage[definition.name] = self.index.order(definition.name)
        return self._lineage[definition.name]

    def parameter(self, owner: Definition, word: str) -> Definition | None:
        """Return the callable that takes `word` as an argument: a function itself, or a class's constructor."""
        target = self.constructor(owner) if owner.kind == "class" else owner
        if target is None or target.kind not in _CALLABLE:
            return None
        return target if self.index.get(f"{target.name}.{word}") else None

    def constructor(self, owner: Definition) -> Definition | None:
        """Return the `__init__` of a class, an inherited one too."""
        if owner.name not in self._constructors:
            # Asked class by class: of this name there are thousands of definitions.
            found = (self.index.get(f"{base.name}.__init__") for base in self.lineage(owner))
            self._constructors[owner.name] = next((each for each in found if each is not None), None)
        return self._constructors[owner.name]


def _is_private(part: str) -> bool:
    """Tell whether a part of a dotted name is private; `__init__` and its like are not."""
    return part.startswith("_") and not part.endswith("__")
