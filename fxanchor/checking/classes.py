"""What a class can answer to: its attributes and those of its bases, read also outside the index, never imported."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from fxanchor.checking.library import Library
from fxanchor.model.syntax import parse_source
from fxanchor.source.definition import Definition

_RESTORES = frozenset({"__setstate__", "__setattr__", "__delattr__", "__deepcopy__", "__copy__"})
_MOST_STEPS = 12
_MOST_BYTES = 4_000_000


@dataclass(slots=True)
class Shape:
    """The attributes of the objects of a class.

    Attributes:
        names: The attributes that are known, also those that may only be mentioned.
        written: Those that a class body defines for certain.
        unknown: The base class whose attributes are not known, or "".
        answers_any: Whether a `__getattr__` may answer to further names.
    """

    names: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    unknown: str = ""
    answers_any: bool = False

    def lacks(self, name: str) -> bool:
        """Tell whether it is certain that the class and its objects have no attribute of this name."""
        return name not in self.names and not self.unknown and not self.answers_any

    def add(self, other: "Shape") -> None:
        """Take over what a base class has."""
        self.names |= other.names
        self.written |= other.written
        self.unknown = self.unknown or other.unknown
        self.answers_any = self.answers_any or other.answers_any


class Shapes:
    """The shapes of the classes of the packages, each worked out once.

    Args:
        library: The packages.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._known: dict[str, Shape] = {}
        self._outside = Outside(library.index.packages[0].root)

    def of(self, definition: Definition) -> Shape:
        """Return the shape of a class of the packages."""
        if definition.name not in self._known:
            self._known[definition.name] = self._shape(definition)
        return self._known[definition.name]

    def _shape(self, definition: Definition) -> Shape:
        index = self._library.index
        shape = Shape(set(dir(object)) | {"__dict__", "__module__", "__weakref__", "__annotations__", "__slots__"})
        for owner in index.order(definition.name) or (definition,):
            shape.names |= set(index.members(owner.name))
            if owner.simple_name in self._library.extended:
                shape.unknown = f"what is set on {owner.simple_name}"
            for node in _class_bodies("".join(index.lines(owner)), owner.simple_name):
                shape.add(_written(node))
            module = self._library.names.module_of(owner)
            for base in owner.bases:
                if index.resolve_in(module, base.partition("[")[0]) is None:
                    shape.add(self._outside.shape(index.spelled(module, base.partition("[")[0])))
        return shape


class Outside:
    """Classes of other packages, read from their own files.

    Args:
        root: The site directory.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[str, Shape] = {}

    def shape(self, dotted: str, steps: int = 0) -> Shape:
        """Return what is known of a class.

        Args:
            dotted: Its absolute name, such as `torch.nn.Module`.
            steps: How many imports and bases were followed to get here.
        """
        if dotted not in self._known:
            self._known[dotted] = Shape(unknown=dotted)  # while it is worked out, for classes that lead to themselves
            self._known[dotted] = self._read(dotted, steps)
        return self._known[dotted]

    def _read(self, dotted: str, steps: int) -> Shape:
        module, _, name = dotted.rpartition(".")
        if (module or "builtins").partition(".")[0] in sys.stdlib_module_names:
            return _standard(module or "builtins", name)
        if not module or steps > _MOST_STEPS:
            return Shape(unknown=dotted)
        for file in self._files(module):
            tree = _parsed(file)
            found = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name]
            if found:
                shape = _written(found[0])
                for base in found[0].bases:
                    written = ast.unparse(base.value if isinstance(base, ast.Subscript) else base)
                    shape.add(self.shape(_spelled(written, tree, module, file), steps + 1))
                return shape
            for target in _imported(name, tree, module, file):
                if target != dotted and not (shape := self.shape(target, steps + 1)).unknown:
                    return shape
        return Shape(unknown=dotted)

    def _files(self, module: str) -> list[Path]:
        stem = self._root.joinpath(*module.split("."))
        files = (stem.with_suffix(".py"), stem / "__init__.py", stem.with_suffix(".pyi"), stem / "__init__.pyi")
        return [file for file in files if file.is_file() and file.stat().st_size < _MOST_BYTES]


def _written(node: ast.ClassDef) -> Shape:
    """Return what the body of a class defines, and what its methods set on `self`."""
    shape = Shape()
    for inner in _own_level(node):
        match inner:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                shape.names.add(name)
            case ast.Name(id=name, ctx=ast.Store()) | ast.alias(asname=str(name)) | ast.alias(name=name):
                shape.names.add(name)
    shape.written |= shape.names
    shape.answers_any = bool({"__getattr__", "__getattribute__"} & shape.names)
    # Unpickling gives back only what was there.
    restored = [method for method in ast.walk(node) if isinstance(method, ast.FunctionDef) and method.name in _RESTORES]
    skipped = {id(inner) for method in restored for inner in ast.walk(method)}
    for inner in ast.walk(node):
        if id(inner) in skipped:
            continue
        match inner:
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                shape.names.add(name)
            case ast.Constant(value=str(name)) if name.isidentifier():
                # A name in a string may be set by `setattr`, or be a slot.
                shape.names.add(name)
            case ast.Call(func=ast.Name(id="setattr"), args=[ast.Name(id="self" | "cls"), key, _]):
                shape.answers_any = shape.answers_any or not isinstance(key, ast.Constant)
            case ast.Call(func=ast.Attribute(value=ast.Attribute(value=ast.Name(id="self"), attr="__dict__"))):
                shape.answers_any = True
    if any(keyword.arg == "metaclass" and "ABCMeta" not in ast.unparse(keyword.value) for keyword in node.keywords):
        shape.unknown = f"the metaclass of {node.name}"
    return shape


def _own_level(node: ast.ClassDef) -> Iterator[ast.AST]:
    """Give the nodes of a class body, without what is inside its functions and inner classes."""
    pending: list[ast.AST] = list(node.body)
    while pending:
        inner = pending.pop()
        yield inner
        if not isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            pending.extend(ast.iter_child_nodes(inner))


def _standard(module: str, name: str) -> Shape:
    """Return what a class of the standard library has."""
    import importlib

    try:
        found = getattr(importlib.import_module(module), name)
    except Exception:
        return Shape(unknown=f"{module}.{name}")
    names = set(dir(found)) if isinstance(found, type) else set()
    return Shape(names, set(names), answers_any="__getattr__" in names)


@cache
def _class_bodies(source: str, name: str) -> tuple[ast.ClassDef, ...]:
    return tuple(node for node in ast.walk(_tree(source)) if isinstance(node, ast.ClassDef) and node.name == name)


@cache
def _parsed(file: Path) -> ast.Module:
    return _tree(file.read_text(encoding="utf-8", errors="replace"))


@cache
def _tree(source: str) -> ast.Module:
    try:
        return parse_source(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _imported(name: str, tree: ast.Module, module: str, file: Path) -> Iterator[str]:
    """Give the absolute names that a name of a module may stand for by its imports, the certain one first."""
    stars = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            source = _absolute(node, module, file)
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    yield f"{source}.{alias.name}"
                elif alias.name == "*":
                    stars.append(f"{source}.{name}")
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if (alias.asname or alias.name.partition(".")[0]) == name:
                    yield alias.name if alias.asname else name
    yield from stars


def _spelled(written: str, tree: ast.Module, module: str, file: Path) -> str:
    """Return the absolute name of a base class as written."""
    import builtins

    head, _, rest = written.partition(".")
    if any(isinstance(node, ast.ClassDef) and node.name == head for node in tree.body):
        return f"{module}.{written}"
    if target := next(_imported(head, tree, module, file), ""):
        return f"{target}.{rest}" if rest else target
    return f"builtins.{written}" if hasattr(builtins, head) else f"{module}.{written}"


def _absolute(node: ast.ImportFrom, module: str, file: Path) -> str:
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    kept = parts[: len(parts) - node.level + (1 if file.stem == "__init__" else 0)]
    return ".".join([*kept, *([node.module] if node.module else [])])
