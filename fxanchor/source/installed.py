"""Methods that no `def` in a class names: set on it by `setattr` in a loop over a table of names."""

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from fxanchor.source.definition import Definition
from fxanchor.source.index import Index
from fxanchor.source.rows import LOCALS
from fxanchor.source.text import dotted_name

_STRING_METHODS = ("strip", "lstrip", "rstrip", "lower", "upper", "replace", "removeprefix", "removesuffix")
MAX_NAMES = 2000
_MAX_DEPTH = 10


@dataclass(frozen=True, slots=True)
class Installed:
    """How a method comes to be.

    Attributes:
        function: Qualified name of the function that is set.
        names: How many names are given to the same code.
        file: Path of the `setattr`, relative to the site directory.
        line: Its line.
    """

    function: str
    names: int
    file: str
    line: int


def find_installed(index: Index, qualified: str) -> Installed | None:
    """Return the function that a loop over a table of names sets as this method, or None where that is not shown.

    The table must be a literal of strings, in the module or imported into it, and the name must be built from its
    keys by formatting, adding and string methods.

    Args:
        index: The index.
        qualified: Name of the method, such as `torch.fx.Proxy.__add__`.
    """
    owner_name, _, method = qualified.rpartition(".")
    owner = index.resolve(owner_name)
    if owner is None or owner.kind != "class":
        return None
    for each in index.order(owner.name):
        module = each.name.rpartition(".")[0]
        tree = _tree("".join(index.lines(each))) or ast.Module([], [])
        for loop in tree.body:
            if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name):
                found = _Loop(index, module, each, tree, loop).find(method)
                if found:
                    return found
    return None


class _Loop:
    """One module-level `for name in table:` that may set methods on a class."""

    def __init__(self, index: Index, module: str, owner: Definition, tree: ast.Module, loop: ast.For) -> None:
        self.index, self.module, self.owner, self.tree, self.loop = index, module, owner, tree, loop

    def find(self, method: str) -> Installed | None:
        calls = list(self._setattr_calls())
        if not calls:
            return None
        keys = list(_keys(self.index, self.module, self.loop.iter, 0))[:MAX_NAMES]
        for function, parameter, call in calls:
            scope = {statement.name for statement in function.body if isinstance(statement, ast.FunctionDef)}
            value = call.args[2]
            if not isinstance(value, ast.Name) or value.id not in scope:
                continue
            names = [_evaluated(call.args[1], function.body, {parameter: key}) for key in keys]
            if method in names:
                nested = f"{self.module}.{function.name}.{LOCALS}.{value.id}"
                return Installed(nested, len(set(names)), self.owner.file, call.lineno)
        return None

    def _setattr_calls(self) -> Iterator[tuple[ast.FunctionDef, str, ast.Call]]:
        """Yield the helper functions that the loop calls with its name, with their `setattr` on the class."""
        defined = {
            statement.name: statement
            for statement in (*self.tree.body, *self.loop.body)
            if isinstance(statement, ast.FunctionDef)
        }
        target = self.loop.target.id if isinstance(self.loop.target, ast.Name) else ""
        for statement in self.loop.body:
            match statement:
                case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=[ast.Name(id=passed)])) if passed == target:
                    function = defined.get(name)
                    arguments = function.args.args if function else []
                    if function and len(arguments) == 1:
                        calls = (node for node in ast.walk(function) if isinstance(node, ast.Call))
                        yield from ((function, arguments[0].arg, call) for call in calls if self._sets(call))

    def _sets(self, call: ast.Call) -> bool:
        return (
            dotted_name(call.func) == "setattr"
            and len(call.args) == 3
            and dotted_name(call.args[0]) == self.owner.simple_name
        )


def _keys(index: Index, module: str, table: ast.expr, depth: int) -> Iterator[str]:
    """Yield the strings of a table: the keys of a dictionary or the items of a sequence."""
    if depth > _MAX_DEPTH:
        return
    match table:
        case ast.Dict(keys=keys, values=values):
            for key, unpacked in zip(keys, values, strict=True):
                yield from _keys(index, module, key or unpacked, depth + 1)
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            for item in items:
                yield from _keys(index, module, item.value if isinstance(item, ast.Starred) else item, depth + 1)
        case ast.Call(func=ast.Attribute(value=value, attr="keys"), args=[]):
            yield from _keys(index, module, value, depth + 1)
        case ast.Constant(value=str(text)):
            yield text
        case ast.Name() | ast.Attribute():
            definition = index.resolve_in(module, dotted_name(table))
            literal = _value_of(index, definition) if definition and definition.kind == "attribute" else None
            if literal is not None and definition:
                yield from _keys(index, definition.parent, literal, depth + 1)


def _value_of(index: Index, definition: Definition) -> ast.expr | None:
    tree = _tree(index.source(definition))
    statement = tree.body[0] if tree and tree.body else None
    return statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None


def _evaluated(node: ast.expr, body: list[ast.stmt], names: dict[str, str], depth: int = 0) -> str | None:
    """Return the string that an expression is, or None when that is not certain."""
    if depth > _MAX_DEPTH:
        return None
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.Name(id=name):
            assigned = [each.value for each in body if isinstance(each, ast.Assign) and _assigns(each, name)]
            return _evaluated(assigned[0], body, names, depth + 1) if len(assigned) == 1 else None
        case ast.JoinedStr(values=values):
            return _joined([_evaluated(_filled_in(each), body, names, depth + 1) for each in values])
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _joined([_evaluated(value, body, names, depth + 1) for value in (left, right)])
        case ast.Call(func=ast.Attribute(value=value, attr=method), args=arguments) if method in _STRING_METHODS:
            parts = [_evaluated(each, body, names, depth + 1) for each in (value, *arguments)]
            return None if None in parts else _called(method, parts)
    return None


def _called(method: str, parts: list[str | None]) -> str | None:
    try:
        return str(getattr(str, method)(*parts))
    except TypeError:
        return None


def _filled_in(part: ast.expr) -> ast.expr:
    """Return the expression in the braces of an f-string, when it is filled in as it is."""
    plain = isinstance(part, ast.FormattedValue) and part.conversion == -1 and part.format_spec is None
    return part.value if plain and isinstance(part, ast.FormattedValue) else part


def _joined(parts: list[str | None]) -> str | None:
    known = [part for part in parts if part is not None]
    return "".join(known) if len(known) == len(parts) else None


def _assigns(statement: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in statement.targets)


@lru_cache(maxsize=32)
def _tree(source: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
