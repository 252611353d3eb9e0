"""The scopes of a file with the names each binds once, so that an expression can be read outside its function."""

import argparse
import ast
import contextlib
import copy
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace

from fxanchor.model.definitions import is_main_guard

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Scope:
    """Statements that share their names.

    Attributes:
        name: `__main__` for the main guard, "" for the rest of the module, else the qualified name of the function.
        statements: Without those of scopes inside.
        bindings: Names with the one expression they stand for.
        opaque: Names that the scope binds, but not to one expression: parameters, loop variables, what is rebound.
        changed: Names whose value the scope changes after binding them: `config.width = 64`, `layers.append(8)`.
        owner: Names of the classes around it, outermost first.
    """

    name: str
    statements: tuple[ast.stmt, ...]
    bindings: Mapping[str, ast.expr]
    opaque: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    owner: tuple[str, ...] = ()

    def nodes(self) -> Iterator[ast.AST]:
        """Yield every node of the scope in source order, without those of functions and classes inside."""
        for statement in self.statements:
            yield from _walk(statement)

    def read(self, expression: ast.expr, options: Mapping[str, ast.expr], without: Container[str]) -> ast.expr | None:
        """Return an expression of the scope with its local names replaced, or None when that cannot be done.

        Args:
            expression: Any expression; it is not changed.
            options: Defaults of command-line options (`option_defaults`), for the attributes of what `parse_args`
                returns.
            without: Names to leave as they are.
        """
        hidden = self.changed | {name for name in self.bindings if name in without}
        bindings = {name: value for name, value in self.bindings.items() if name not in hidden}
        read: ast.expr = _Substitute(bindings, options, 0).visit(copy.deepcopy(expression))
        names = {node.id for node in ast.walk(read) if isinstance(node, ast.Name)}
        return None if names & (self.opaque | self.changed) else read


def scopes_of(tree: ast.Module, known: Container[str] = ()) -> list[Scope]:
    """Return the scopes of a file: the main guard first, then `main` and other functions, the module, methods.

    Args:
        tree: The parsed file.
        known: Module-level names whose values are known; they stand for themselves.
    """
    guarded = [statement for each in tree.body if is_main_guard(each) for statement in _body(each)]
    plain = [statement for statement in tree.body if not is_main_guard(statement)]
    module = _scope("", plain)
    changed = frozenset(name for name in module.changed if name not in known)
    everywhere = {name: value for name, value in module.bindings.items() if name not in known}
    module = replace(module, bindings=everywhere, opaque=frozenset(), changed=changed)
    everywhere = {name: value for name, value in everywhere.items() if name not in changed}
    functions = [_within(scope, everywhere) for scope in _functions(tree.body, ())]
    functions.sort(key=lambda scope: not scope.name.startswith("main"))
    free = [scope for scope in functions if not scope.owner]
    methods = [scope for scope in functions if scope.owner]
    return [_within(_scope("__main__", guarded), everywhere), *free, module, *methods]


def _within(scope: Scope, outer: Mapping[str, ast.expr]) -> Scope:
    seen = {name: value for name, value in outer.items() if name not in scope.opaque}
    return replace(scope, bindings={**seen, **scope.bindings})


def _body(statement: ast.stmt) -> list[ast.stmt]:
    return statement.body if isinstance(statement, ast.If) else []


def option_defaults(tree: ast.Module) -> dict[str, ast.expr]:
    """Return the default of every option that the file gives to an `argparse` parser.

    Args:
        tree: The parsed file.
    """
    defaults: dict[str, ast.expr] = {}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if node.func.attr != "add_argument":
            continue
        flags = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        keywords = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
        long = [flag for flag in flags if flag.startswith("--")] or flags
        dest = keywords.get("dest")
        name = (
            str(dest.value)
            if isinstance(dest, ast.Constant)
            else (long[0].lstrip("-").replace("-", "_") if long else "")
        )
        action = keywords.get("action")
        if "default" in keywords:
            defaults[name] = keywords["default"]
        elif isinstance(action, ast.Constant) and action.value in {"store_true", "store_false"}:
            defaults[name] = ast.Constant(action.value == "store_false")
    return defaults


def parsed_options(tree: ast.Module) -> dict[str, argparse.Namespace]:
    """Return what `parser.parse_args()` at module level gives when no option is given, by the name it is bound to.

    Options whose default is no constant are left out.

    Args:
        tree: The parsed file.
    """
    values: dict[str, object] = {}
    for name, default in option_defaults(tree).items():
        with contextlib.suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            values[name] = ast.literal_eval(default)
    found: dict[str, argparse.Namespace] = {}
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(attr="parse_args"))):
                found[name] = argparse.Namespace(**values)
    return found if values else {}


class _Substitute(ast.NodeTransformer):
    def __init__(self, bindings: Mapping[str, ast.expr], parsed: Mapping[str, ast.expr], depth: int) -> None:
        self._bindings = bindings
        self._parsed = parsed
        self._depth = depth

    def visit_Name(self, node: ast.Name) -> ast.expr:
        bound = self._bindings.get(node.id)
        if (
            bound is None
            or self._depth > _DEEPEST
            or any(isinstance(each, ast.Name) and each.id == node.id for each in ast.walk(bound))
        ):
            return node
        inner = _Substitute(self._bindings, self._parsed, self._depth + 1)
        return inner.visit(copy.deepcopy(bound))  # type: ignore[no-any-return]

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if node.attr in self._parsed:
            value: ast.expr | None = node.value
            if isinstance(node.value, ast.Name):
                value = self._bindings.get(node.value.id)
            if (value is not None and _is_parse_args(value)) or _is_option_name(node.value):
                return copy.deepcopy(self._parsed[node.attr])
        node.value = self.visit(node.value)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        return node


_OPTION_NAMES = frozenset({"args", "opt", "opts", "options", "flags", "FLAGS", "hparams"})


def _is_option_name(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id in _OPTION_NAMES


def _is_parse_args(value: ast.expr) -> bool:
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr in {"parse_args", "parse_known_args"}
    )


def _functions(body: list[ast.stmt], owner: tuple[str, ...]) -> Iterator[Scope]:
    for statement in body:
        if isinstance(statement, _FUNCTIONS):
            yield _scope(".".join((*owner, statement.name)), statement.body, statement.args, owner)
            yield from _functions(statement.body, owner)
        elif isinstance(statement, ast.ClassDef):
            yield from _functions(statement.body, (*owner, statement.name))
        elif isinstance(statement, ast.If | ast.Try | ast.With):
            yield from _functions(statement.body, owner)


def _scope(
    name: str, statements: list[ast.stmt], parameters: ast.arguments | None = None, owner: tuple[str, ...] = ()
) -> Scope:
    kept = tuple(each for each in statements if not isinstance(each, (*_FUNCTIONS, ast.ClassDef)))
    bindings: dict[str, ast.expr] = {}
    counts: Counter[str] = Counter()
    changed: set[str] = set()
    called: set[str] = set()
    for argument, default in _parameters(parameters):
        counts[argument] += 1
        if default is not None:
            bindings[argument] = default
    for node in (node for statement in kept for node in _walk(statement)):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=bound)], value=value)
                | ast.AnnAssign(target=ast.Name(id=bound), value=ast.expr() as value)
            ):
                bindings[bound] = value
            case ast.Name(id=bound, ctx=ast.Store() | ast.Del()) | ast.ExceptHandler(name=str(bound)):
                counts[bound] += 1
            case ast.alias(name=imported, asname=asname) if parameters is not None:
                counts[asname or imported.partition(".")[0]] += 1
            case (
                ast.Attribute(value=ast.Name(id=bound), ctx=ast.Store() | ast.Del())
                | ast.Subscript(value=ast.Name(id=bound), ctx=ast.Store() | ast.Del())
            ):
                changed.add(bound)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=bound)))):
                called.add(bound)
    once = {bound: value for bound, value in bindings.items() if counts[bound] == 1}
    return Scope(name, kept, once, frozenset(counts) - set(once), frozenset(changed | (called & set(once))), owner)


def _parameters(arguments: ast.arguments | None) -> Iterator[tuple[str, ast.expr | None]]:
    if arguments is None:
        return
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults))
    yield from zip((each.arg for each in plain), [*defaults, *arguments.defaults], strict=True)
    yield from zip((each.arg for each in arguments.kwonlyargs), arguments.kw_defaults, strict=True)
    for star in (arguments.vararg, arguments.kwarg):
        if star is not None:
            yield star.arg, None


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (*_FUNCTIONS, ast.ClassDef, ast.Lambda)):
            yield from _walk(child)
