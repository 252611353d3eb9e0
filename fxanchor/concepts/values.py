"""What the names of a listing stand for: the values that type inference moves about."""

import ast
from dataclasses import dataclass, field

from fxanchor.concepts.names import Names
from fxanchor.source.definition import Definition


@dataclass(frozen=True, slots=True)
class Symbol:
    """The definition itself: a module, a class or a function."""

    definition: Definition


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class of the package."""

    definition: Definition


@dataclass(frozen=True, slots=True)
class Elements:
    """Something to loop over, whose elements are known."""

    element: "Value"


@dataclass(frozen=True, slots=True)
class Foreign:
    """A name of another package, by its dotted spelling."""

    name: str


@dataclass(slots=True)
class Own:
    """A function or class that the paper defines itself.

    Attributes:
        name: Its name.
        bases: The base classes, of a class.
        result: What a call gives, of a function.
        is_class: Whether it is a class.
        attributes: What its methods assign to `self`.
    """

    name: str
    bases: tuple["Value", ...] = ()
    result: "Value" = None
    is_class: bool = False
    attributes: dict[str, "Value"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OwnInstance:
    """An object of a class that the paper defines itself."""

    of: Own


Value = Symbol | Instance | Elements | Foreign | Own | OwnInstance | None


@dataclass(frozen=True, slots=True)
class Use:
    """One place of a listing that names a definition.

    Attributes:
        start: Index in the passage's text.
        end: Index behind it.
        surface: The spelling.
        definition: What it is; None when it is another package's.
        reason: How that was told, in words.
    """

    start: int
    end: int
    surface: str
    definition: Definition | None
    reason: str


@dataclass(slots=True)
class Code:
    """What the listings of one paper have set up so far.

    Attributes:
        values: What every global name of the listings stands for.
        own: Names that the listings define themselves: functions, classes, global variables.
        local: Their parameters, local variables and methods.
        foreign: Names that they import from elsewhere, with what they stand for.
        unknown: Names that stand for nothing known, with the attributes that are asked of them.
        imported: What imports let names stand for, with the number of the listing's passage, in reading order.
    """

    values: dict[str, Value] = field(default_factory=dict)
    own: set[str] = field(default_factory=set)
    local: set[str] = field(default_factory=set)
    foreign: dict[str, str] = field(default_factory=dict)
    unknown: dict[str, set[str]] = field(default_factory=dict)
    imported: dict[str, list[tuple[int, Value]]] = field(default_factory=dict)

    def start_again(self, values: dict[str, Value]) -> None:
        """Forget everything but what some names are now known to stand for."""
        for held in (self.values, self.own, self.local, self.foreign, self.unknown, self.imported):
            held.clear()
        self.values.update(values)

    def turn_to(self, order: int) -> None:
        """Let a name that several listings import from different places stand for what it does at a passage.

        Args:
            order: Number of the passage: the last import before it counts, and the first one where none is before.
        """
        for name, meanings in self.imported.items():
            if len(meanings) == 1:
                continue
            value = next((value for at, value in reversed(meanings) if at <= order), meanings[0][1])
            self.values[name] = value
            if isinstance(value, Foreign):
                self.foreign[name] = value.name
            else:
                self.foreign.pop(name, None)


_WRAPPERS = {"Optional", "Annotated", "Final", "ClassVar", "Union"}
_LOOPS = {"list", "List", "Iterator", "Iterable", "Sequence", "tuple", "Tuple", "set", "Set", "Generator", "frozenset"}


def annotated(names: Names, annotation: str, home: Definition, depth: int = 0) -> Value:
    """Return what an annotation of the package's source says a value is.

    Args:
        names: The look-ups.
        annotation: The annotation as written.
        home: The definition that it was written at: its module says what the words mean.
        depth: How deep the annotation is nested.
    """
    if not annotation or depth > 4 or len(annotation) > 300:
        return None
    try:
        tree = ast.parse(annotation.strip("\"' "), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None
    return _annotated(names, tree, home, depth)


def _annotated(names: Names, tree: ast.expr, home: Definition, depth: int) -> Value:
    """Do `annotated` on the syntax tree."""
    if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        return annotated(names, tree.value, home, depth + 1)
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.BitOr):
        return _annotated(names, tree.left, home, depth) or _annotated(names, tree.right, home, depth)
    if isinstance(tree, ast.Subscript):
        word = ast.unparse(tree.value).rpartition(".")[2]
        parts = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
        if word in _WRAPPERS:
            return next((found for part in parts if (found := _annotated(names, part, home, depth))), None)
        if word in _LOOPS and (element := _annotated(names, parts[0], home, depth)):
            return Elements(element)
        return _annotated(names, tree.value, home, depth)
    if not isinstance(tree, ast.Name | ast.Attribute):
        return None
    spelled = ast.unparse(tree)
    if spelled in ("Self", "typing.Self", "Any", "typing.Any"):
        return None
    known = names.resolve(f"{names.module_of(home)}.{spelled}") or names.resolve(spelled)
    if known is None:
        classes = [found for found in names.definitions(spelled.rpartition(".")[2]) if found.kind == "class"]
        known = classes[0] if len(classes) == 1 else None
    return Instance(known) if known is not None and known.kind == "class" else None
