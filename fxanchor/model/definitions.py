"""Execute only the imports, definitions and simple constants of a file whose whole cannot be executed."""

import __future__

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

from fxanchor.model.limits import OutOfTime
from fxanchor.model.plain import one_line
from fxanchor.model.raised import text_of
from fxanchor.model.sourcefile import SourceFile

# Calls that make a value and do nothing else, by the last part of the name.
# fmt: off
PURE_CALLS = frozenset({
    "abs", "bool", "bytes", "complex", "dict", "divmod", "enumerate", "float", "frozenset", "getattr", "hasattr", "int",
    "isinstance", "len", "list", "max", "min", "range", "repr", "reversed", "round", "set", "slice", "sorted", "str",
    "sum", "tuple", "type", "zip",
    "namedtuple", "TypeVar", "ParamSpec", "NewType", "TypedDict", "partial", "dataclass", "field", "Path", "getLogger",
    "join", "dirname", "abspath", "basename", "realpath", "getenv", "get", "device", "is_available", "sqrt", "log",
    "exp", "pow", "ceil", "floor", "format", "split", "strip", "lower", "upper",
    "OrderedDict", "defaultdict", "Counter", "deque", "SimpleNamespace", "Enum",
})
# fmt: on
_IMPURE = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A statement that was to be executed and raised.

    Attributes:
        line: 1-based.
        names: The names it would have bound.
        reason: The exception, on one line.
    """

    line: int
    names: tuple[str, ...]
    reason: str


def kept_statements(tree: ast.Module) -> list[ast.stmt]:
    """Return the imports, definitions and simple constants among the statements of a module.

    Those inside `if`, `try` and `with` at module level are kept too, without their `if __name__ == "__main__"`.

    Args:
        tree: The parsed file; it is not changed.
    """
    return [kept for statement in tree.body for kept in _kept(statement)]


def execute_definitions(source: SourceFile, module: ModuleType) -> tuple[Skipped, ...]:
    """Execute the kept statements of a file one by one in a module; those that raise are left out and returned.

    Args:
        source: The file.
        module: Where the names go.

    Raises:
        OutOfTime: When the time limit around the call is over.
    """
    skipped: list[Skipped] = []
    flags = _future_flags(source.tree)
    for statement in kept_statements(source.tree):
        piece = ast.fix_missing_locations(ast.Module([statement], []))
        try:
            exec(compile(piece, str(source.path), "exec", flags=flags, dont_inherit=True), module.__dict__)
        except OutOfTime:
            raise
        except BaseException as error:
            reason = one_line(f"{type(error).__name__}: {text_of(error)}")
            skipped.append(Skipped(statement.lineno, tuple(_bound(statement)), reason))
    return tuple(skipped)


def training_line(tree: ast.Module) -> int:
    """Return the line of a loop at module level that trains a model, 0 when there is none.

    Args:
        tree: The parsed file.
    """
    for statement in tree.body:
        if isinstance(statement, ast.For | ast.While) and any(
            isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "backward"
            for node in ast.walk(statement)
        ):
            return statement.lineno
    return 0


def is_main_guard(statement: ast.stmt) -> bool:
    """Return whether a statement is `if __name__ == "__main__":`.

    Args:
        statement: Any statement.
    """
    return isinstance(statement, ast.If) and any(
        isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(statement.test)
    )


def _kept(statement: ast.stmt) -> Iterator[ast.stmt]:
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield statement
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            if _is_simple(value):
                yield statement
        case ast.AugAssign(target=ast.Name(), value=value):
            if _is_simple(value):
                yield statement
        case ast.If(test=test, body=body, orelse=orelse):
            if not is_main_guard(statement) and _is_simple(test):
                yield from _rebuilt(ast.If(test, _all_kept(body), _all_kept(orelse)), statement)
        case ast.Try(body=body, handlers=handlers, orelse=orelse):
            kept = [ast.ExceptHandler(each.type, each.name, _all_kept(each.body) or [ast.Pass()]) for each in handlers]
            yield from _rebuilt(ast.Try(_all_kept(body), kept, _all_kept(orelse), []), statement)
        case ast.With(body=body):
            yield from _all_kept(body)


def _rebuilt(new: ast.If | ast.Try, old: ast.stmt) -> Iterator[ast.stmt]:
    if not new.body and not new.orelse:
        return
    new.body = new.body or [ast.Pass()]
    if isinstance(new, ast.Try) and not new.handlers:
        yield from new.body
        return
    yield ast.copy_location(new, old)


def _all_kept(body: list[ast.stmt]) -> list[ast.stmt]:
    return [kept for statement in body for kept in _kept(statement)]


def _is_simple(value: ast.expr) -> bool:
    for node in ast.walk(value):
        if isinstance(node, _IMPURE):
            return False
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name not in PURE_CALLS:
                return False
    return True


def _bound(statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.alias(name=name, asname=asname):
                yield asname or name.partition(".")[0]


def _future_flags(tree: ast.Module) -> int:
    flags = 0
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            for alias in node.names:
                flags |= getattr(getattr(__future__, alias.name, None), "compiler_flag", 0)
    return flags
