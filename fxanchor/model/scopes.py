"""The scopes of a file with the names each binds once, so that an expression can be read outside its function."""

import ast
import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fxanchor.model.definitions import is_main_guard

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Scope:
    """Statements that share their names.

    Attributes:
        name: `__main__` for the main guard, "" for the rest of the module, else the qualified name of the function.
        statements: Without those of scopes inside.
        bindings: Names bound exactly once, with what they are bound to.
        owner: Names of the classes around it, outermost first.
    """

    name: str
    statements: tuple[ast.stmt, ...]
    bindings: Mapping[str, ast.expr]
    owner: tuple[str, ...] = ()

    def nodes(self) -> Iterator[ast.AST]:
        """Yield every node of the scope in source order, without those of functions and classes inside."""
        for statement in self.statements:
            yield from _walk(statement)


def scopes_of(tree: ast.Module) -> list[Scope]:
    """Return the scopes of a file: the main guard first, then `main` and other functions, the module, methods.

    Args:
        tree: The parsed file.
    """
    guarded = [statement for each in tree.body if is_main_guard(each) for statement in each.body]  # type: ignore[attr-defined]
    plain = [statement for statement in tree.body if not is_main_guard(statement)]
    module = _scope("", plain, ())
    main = _scope("__main__", guarded, ())
    main = Scope(main.name, main.statements, {**module.bindings, **main.bindings})
    functions = list(_functions(tree.body, ()))
    functions.sort(key=lambda scope: (bool(scope.owner), not scope.name.startswith("main")))
    free = [scope for scope in functions if not scope.owner]
    methods = [scope for scope in functions if scope.owner]
    return [main, *free, module, *methods]


def substituted(expression: ast.expr, bindings: Mapping[str, ast.expr], parsed: Mapping[str, ast.expr]) -> ast.expr:
    """Return the expression with names replaced by what they are bound to, and options by their defaults.

    Args:
        expression: Any expression; it is not changed.
        bindings: Of the expression's scope.
        parsed: Defaults of command-line options (`option_defaults`), for the attributes of what `parse_args` returns.
    """
    return _Substitute(bindings, parsed, 0).visit(copy.deepcopy(expression))  # type: ignore[no-any-return]


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
        name = keywords["dest"].value if isinstance(keywords.get("dest"), ast.Constant) else ""  # type: ignore[attr-defined]
        name = name or (long[0].lstrip("-").replace("-", "_") if long else "")
        action = keywords.get("action")
        if "default" in keywords:
            defaults[name] = keywords["default"]
        elif isinstance(action, ast.Constant) and action.value in {"store_true", "store_false"}:
            defaults[name] = ast.Constant(action.value == "store_false")
    return defaults


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
        if isinstance(node.value, ast.Name) and node.attr in self._parsed:
            bound = self._bindings.get(node.value.id)
            if (bound is not None and _is_parse_args(bound)) or (bound is None and node.value.id in _OPTION_NAMES):
                return copy.deepcopy(self._parsed[node.attr])
        node.value = self.visit(node.value)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        return node


_OPTION_NAMES = frozenset({"args", "opt", "opts", "options", "flags", "FLAGS", "hparams"})


def _is_parse_args(value: ast.expr) -> bool:
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr in {"parse_args", "parse_known_args"}
    )


def _functions(body: list[ast.stmt], owner: tuple[str, ...]) -> Iterator[Scope]:
    for statement in body:
        if isinstance(statement, _FUNCTIONS):
            bindings = _parameter_defaults(statement.args)
            scope = _scope(".".join((*owner, statement.name)), statement.body, owner)
            rebound = _rebound(scope.statements)
            kept = {name: value for name, value in bindings.items() if name not in rebound}
            yield Scope(scope.name, scope.statements, {**kept, **scope.bindings}, owner)
            yield from _functions(statement.body, owner)
        elif isinstance(statement, ast.ClassDef):
            yield from _functions(statement.body, (*owner, statement.name))
        elif isinstance(statement, ast.If | ast.Try | ast.With):
            yield from _functions(statement.body, owner)


def _parameter_defaults(arguments: ast.arguments) -> dict[str, ast.expr]:
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = dict(
        zip([each.arg for each in plain[len(plain) - len(arguments.defaults) :]], arguments.defaults, strict=True)
    )
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return defaults | {each.arg: value for each, value in named if value is not None}


def _scope(name: str, statements: list[ast.stmt], owner: tuple[str, ...]) -> Scope:
    kept = tuple(each for each in statements if not isinstance(each, (*_FUNCTIONS, ast.ClassDef)))
    bindings: dict[str, ast.expr] = {}
    for node in (node for statement in kept for node in _walk(statement)):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=bound)], value=value)
                | ast.AnnAssign(target=ast.Name(id=bound), value=ast.expr() as value)
            ):
                bindings[bound] = value
    counts = _rebound(kept)
    return Scope(name, kept, {bound: value for bound, value in bindings.items() if counts.get(bound) == 1}, owner)


def _rebound(statements: tuple[ast.stmt, ...]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for node in (node for statement in statements for node in _walk(statement)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            counts[node.id] = counts.get(node.id, 0) + 1
    return counts


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (*_FUNCTIONS, ast.ClassDef, ast.Lambda)):
            yield from _walk(child)
