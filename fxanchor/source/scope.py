"""Which of several bindings of one name in one scope is the real one."""

from dataclasses import dataclass, field

from fxanchor.source.rows import CLASS, LOCALS, MODULE, PARAMETER, DefinitionRow, ImportRow, ScopeRows

# How little a binding is worth as the definition of its name: the smallest is kept.
DEFINED = 0
ASSIGNED = 1
ASSIGNED_IN_INIT = 2
ASSIGNED_IN_METHOD = 3
ACCESSOR = 4
OVERLOAD = 5
# Added to what never runs: it is only for type checkers, or for another version or platform.
UNSEEN = 10

# The conditions a statement stands under within its scope: one pair (line, arm) for each `if`, `try` or `match`.
Branch = tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Bound:
    """One binding of a name."""

    rank: int
    branch: Branch
    order: int

    def beats(self, other: "Bound") -> bool:
        """Return whether this later binding is the real one.

        A second `def` in the same block replaces the first, as at run time; of the arms of a condition the first
        is the one meant (the others are fallbacks); an attribute is defined where it is set first.
        """
        if self.rank != other.rank:
            return self.rank < other.rank
        return self.rank % UNSEEN == DEFINED and self.branch == other.branch


@dataclass(slots=True)
class Item(Bound):
    """A definition with what is defined inside it."""

    row: DefinitionRow
    inside: "Scope | None" = None


@dataclass(slots=True)
class Imported(Bound):
    """A name bound by an import."""

    target: str
    kept: bool


@dataclass(slots=True)
class Scope:
    """The names of a module, class or function while its file is read.

    Attributes:
        kind: A kind number of `rows`.
        items: Definitions by name.
        imports: Imports by name.
        locals: For a function: what is defined inside it; `items` are its parameters then.
        outer: The enclosing scope.
        receiver: For a method: the name of its first parameter.
    """

    kind: int
    outer: "Scope | None" = None
    receiver: str = ""
    items: dict[str, Item] = field(default_factory=dict)
    imports: dict[str, Imported] = field(default_factory=dict)
    locals: dict[str, Item] = field(default_factory=dict)

    @property
    def is_function(self) -> bool:
        """Whether names defined inside are local to a call."""
        return self.kind not in (MODULE, CLASS)

    def define(self, name: str, item: Item) -> None:
        """Keep a definition, unless a better one of the name is there."""
        held = self.locals if self.is_function and item.row.kind != PARAMETER else self.items
        known = held.get(name)
        if known is None or item.beats(known):
            held[name] = item

    def bind(self, name: str, imported: Imported) -> None:
        """Keep an import, unless a better one of the name is there."""
        known = self.imports.get(name)
        if known is None or imported.beats(known):
            self.imports[name] = imported

    def offer(self, name: str, imported: Imported) -> None:
        """Keep what a name would be imported from, where nothing else binds it."""
        if name not in self.items:
            self.imports.setdefault(name, imported)

    def absolute(self, dotted: str, module: str) -> str:
        """Return a dotted expression as an absolute name as far as the scopes of its file tell, else unchanged."""
        head, dot, rest = dotted.partition(".")
        scope: Scope | None = self
        while scope:
            if (found := scope.imports.get(head)) and not scope.is_function:
                return found.target + dot + rest
            if head in scope.items and scope.kind == MODULE:
                return f"{module}.{dotted}"
            scope = scope.outer
        return dotted

    def flatten(self, name: str, into: list[ScopeRows]) -> None:
        """Write the scope and all scopes inside it as rows."""
        if self.items or self.imports:
            imports = [
                ImportRow(key, each.target, self._wins(key, each), each.kept) for key, each in self.imports.items()
            ]
            into.append(ScopeRows(name, [tuple(item.row) for item in self.items.values()], [tuple(i) for i in imports]))
        if self.locals:
            into.append(ScopeRows(f"{name}.{LOCALS}", [tuple(item.row) for item in self.locals.values()], []))
        for prefix, held in ((name, self.items), (f"{name}.{LOCALS}", self.locals)):
            for key, item in held.items():
                if item.inside:
                    item.inside.flatten(f"{prefix}.{key}", into)

    def _wins(self, name: str, imported: Imported) -> bool:
        item = self.items.get(name)
        if item is None:
            return True
        return imported.beats(item) if imported.order > item.order else not item.beats(imported)
