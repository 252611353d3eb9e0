"""Names that a module hands out only when they are asked for: what its `__getattr__` or its stand-in will import."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

from fxanchor.source.literals import string_constants
from fxanchor.source.text import dotted_name

# `.objective`, `pkg.objective`, `pkg.objective:name`.
_PLACE = re.compile(r"(\.*)([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?::([A-Za-z_][\w.]*))?")
# Callables that put off an import, by the names that packages give them; what they import is their last text.
_PUT_OFF = re.compile(r"lazy_?(?:im|mod|load)|lazy\.(?:load|import)", re.IGNORECASE)
# In a table of names a second part that says that the name is a module itself.
_ITSELF = "__module__"
# Texts in a row of a table, and how many names a table may hold at most.
_PAIR = 2
_MAX_NAMES = 50_000


def put_off(value: ast.expr | None, package: str) -> str:
    """Return the module that `LazyLoader("x", globals(), "pkg.x")` and its like stand for, or "".

    Args:
        value: What a name of a module is set to.
        package: Dotted name of the package that relative names begin at.
    """
    if not isinstance(value, ast.Call) or not value.args or not _PUT_OFF.search(dotted_name(value.func)):
        return ""
    last = value.args[-1]
    if not isinstance(last, ast.Constant) or not isinstance(last.value, str):
        return ""
    match = _PLACE.fullmatch(last.value)
    if match is None or match.group(3):
        return ""
    return _module(last.value, package) if match.group(1) else last.value


def lazy_names(body: Iterable[ast.stmt], package: str) -> Iterator[tuple[str, str]]:
    """Yield the names that a lazy module hands out, each with the absolute name of what it will import.

    Read are tables written out in the module (`{"module": ["name"]}`, `{"name": "module"}`,
    `{"name": ("module", "name")}`) and the imports in its `__getattr__`. What is yielded may not exist: whoever looks
    a name up finds that out.

    Args:
        body: The statements of the module.
        package: Dotted name of the package that relative names begin at.
    """
    statements = list(_flat(body))
    literals = dict(_literals(statements))
    for count, (key, value) in enumerate(_rows(statements)):
        if count > _MAX_NAMES:
            return
        yield from _row(key, value, package)
    for statement in statements:
        match statement:
            case ast.FunctionDef(name="__getattr__", args=ast.arguments(args=[ast.arg(arg=asked), *_])):
                yield from _imported(statement, asked, literals, package)
            case ast.Assign(value=ast.Call() as call) if _sets_getattr(statement):
                yield from _attached(call, literals, package)


def from_stub(statement: ast.stmt) -> bool:
    """Tell whether a statement lets the stub beside a module say what it hands out: `lazy.attach_stub(...)`."""
    return (
        isinstance(statement, ast.Assign)
        and isinstance(statement.value, ast.Call)
        and "attach_stub" in dotted_name(statement.value.func)
        and _sets_getattr(statement)
    )


def _sets_getattr(statement: ast.Assign) -> bool:
    """Tell whether an assignment sets the module's `__getattr__`, alone or among others."""
    names = (each for target in statement.targets for each in (getattr(target, "elts", None) or [target]))
    return any(isinstance(each, ast.Name) and each.id == "__getattr__" for each in names)


def _flat(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a module, those under its conditions too."""
    for statement in body:
        yield statement
        for field in ("body", "orelse", "finalbody", "handlers"):
            if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                for inner in getattr(statement, field, []):
                    yield from _flat(inner.body if isinstance(inner, ast.ExceptHandler) else [inner])


def _literals(statements: Iterable[ast.stmt]) -> Iterator[tuple[str, list[str]]]:
    """Yield the names that are set to texts, with the texts."""
    for statement in statements:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                yield name, _texts(value)


def _texts(value: ast.expr) -> list[str]:
    """Return the texts of a list, set or tuple, or the keys of a table."""
    if isinstance(value, ast.Call) and len(value.args) == 1:
        return _texts(value.args[0])
    if isinstance(value, ast.Dict):
        return [text for key in value.keys if key is not None for text, _ in string_constants(key)]
    return [text for text, _ in string_constants(value)]


def _rows(statements: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    """Yield the keys of all tables of a module with their values, also of rows that are added one by one."""
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value=str(key)))], value=value):
                yield key, value
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(
                        value=ast.Subscript(slice=ast.Constant(value=str(key))), attr="append" | "extend" | "update"
                    ),
                    args=[value],
                )
            ):
                yield key, ast.List([value], ast.Load()) if isinstance(value, ast.Constant) else value
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value) | ast.Expr(value=value):
                for table in _tables(value):
                    for each, content in zip(table.keys, table.values, strict=True):
                        if isinstance(each, ast.Constant) and isinstance(each.value, str):
                            yield each.value, content


def _tables(value: ast.expr) -> Iterator[ast.Dict]:
    """Yield the tables in a value, or in the arguments of a call."""
    if isinstance(value, ast.Dict):
        yield value
    elif isinstance(value, ast.Call):
        for argument in (*value.args, *(keyword.value for keyword in value.keywords)):
            yield from _tables(argument)


def _row(key: str, value: ast.expr, package: str) -> Iterator[tuple[str, str]]:
    """Yield the names of one row of a table: the key, or those listed for the module that the key is."""
    match value:
        case ast.Constant(value=str(text)):
            yield from _placed(key, text, package)
        case ast.Tuple(elts=[_, ast.Constant(value=str(text))]) if text == _ITSELF:
            yield key, f"{package}.{key}"
        case ast.Tuple(elts=[ast.Constant(value=str(module)), ast.Constant(value=str(name))]) if (
            "." in module or name == key
        ):
            yield key, f"{_module(module, package)}.{name}"
        case ast.Tuple(elts=[first, ast.Constant(value=str(module))]) if not isinstance(first, ast.Constant):
            yield from _placed(key, module, package)
        case ast.List() | ast.Set() | ast.Tuple() if module := _module(key, package):
            yield from ((name, f"{module}.{name}") for name in _texts(value) if name.isidentifier())


def _placed(name: str, place: str, package: str) -> Iterator[tuple[str, str]]:
    """Yield a name with what it is in the module, or the object, that a table gives for it."""
    match = _PLACE.fullmatch(place)
    if match is None or not name.isidentifier():
        return
    module = _module(match.group(1) + match.group(2), package)
    if match.group(3):
        yield name, f"{module}.{match.group(3)}"
    elif module.rpartition(".")[2] == name and module != f"{package}.{name}":
        yield name, module
    else:
        yield name, f"{module}.{name}"


def _module(text: str, package: str) -> str:
    """Return the absolute name of a module that is written relative to a package, or "" when it is no name."""
    match = _PLACE.fullmatch(text)
    if match is None:
        return ""
    dots, name = match.group(1), match.group(2)
    if dots:
        parts = package.split(".")
        return ".".join([*parts[: max(len(parts) - len(dots) + 1, 0)], name])
    return name if name.partition(".")[0] == package.partition(".")[0] else f"{package}.{name}"


def _attached(call: ast.Call, literals: Mapping[str, list[str]], package: str) -> Iterator[tuple[str, str]]:
    """Yield the modules that `lazy.attach(__name__, submodules, ...)` lists."""
    listed = [each.value for each in call.keywords if each.arg == "submodules"] or call.args[1:_PAIR]
    for value in listed:
        names = literals.get(value.id, []) if isinstance(value, ast.Name) else _texts(value)
        if not isinstance(value, ast.Dict):
            yield from ((name, f"{package}.{name}") for name in names if name.isidentifier())


def _imported(
    function: ast.FunctionDef, asked: str, literals: Mapping[str, list[str]], package: str
) -> Iterator[tuple[str, str]]:
    """Yield the names that a `__getattr__` compares what it is asked for with, where it imports something for them."""
    for node in ast.walk(function):
        match node:
            case ast.If(test=ast.Compare(left=ast.Name(id=left), ops=[op], comparators=[right]), body=body) if (
                left == asked
            ):
                names = literals.get(right.id, []) if isinstance(right, ast.Name) else _texts(right)
                # What stands behind `if name not in NAMES: raise` is for the names.
                yield from _bound(function.body if isinstance(op, ast.NotIn) else body, names, asked, package)
            case ast.Match(subject=ast.Name(id=subject), cases=cases) if subject == asked:
                for case in cases:
                    values = [each.value for each in ast.walk(case.pattern) if isinstance(each, ast.MatchValue)]
                    yield from _bound(case.body, [text for each in values for text in _texts(each)], asked, package)


def _bound(body: Iterable[ast.stmt], names: Iterable[str], asked: str, package: str) -> Iterator[tuple[str, str]]:
    """Yield the names that the imports of a block bind, or that it takes from a module that they bind."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    bound: dict[str, str] = {}
    for node in nodes:
        match node:
            case ast.ImportFrom(module=module, names=aliases, level=level):
                origin = _module("." * level + module, package) if level and module else module or ""
                if level and not module:
                    parts = package.split(".")
                    origin = ".".join(parts[: max(len(parts) - level + 1, 0)])
                bound.update((each.asname or each.name, f"{origin}.{each.name}") for each in aliases)
            case ast.Import(names=aliases):
                bound.update((each.asname, each.name) for each in aliases if each.asname)
    taken = [
        bound[node.args[0].id]
        for node in nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "getattr"
        and len(node.args) >= _PAIR
        and isinstance(node.args[0], ast.Name)
        and isinstance(node.args[1], ast.Name)
        and (node.args[0].id in bound and node.args[1].id == asked)
    ]
    given = [
        bound[node.value.id]
        for node in nodes
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Name) and node.value.id in bound
    ]
    for name in names:
        if name in bound:
            yield name, bound[name]
        elif taken or given:
            yield name, f"{taken[0]}.{name}" if taken else given[0]
