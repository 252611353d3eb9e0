"""How a file itself calls a class or function: the arguments its author gives."""

import ast
import builtins
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from fxanchor.model.definitions import PURE_CALLS
from fxanchor.model.modules import is_class
from fxanchor.model.plain import one_line
from fxanchor.model.scopes import Scope, option_defaults, scopes_of
from fxanchor.model.syntax import parse_source
from fxanchor.model.usages import Usage


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call in the source.

    Attributes:
        call: The call, its local names replaced by what they are bound to.
        line: 1-based.
        scope: Name of the scope it stands in.
        written: The call as written, on one line.
    """

    call: ast.Call
    line: int
    scope: str
    written: str


def calls_of(usage: Usage, name: str) -> Iterator[CallSite]:
    """Yield the calls of a name, those of the main guard first; calls inside the definition of the name are left out.

    Args:
        usage: A file that may call it.
        name: Simple name of a class or function.
    """
    options = option_defaults(usage.tree)
    for scope in scopes_of(usage.tree, usage.space):
        if name in scope.owner or scope.name == name:
            continue
        for node in scope.nodes():
            if isinstance(node, ast.Call) and called_name(node) == name:
                call = scope.read(node, options, _made_by(scope, name))
                if isinstance(call, ast.Call):
                    yield CallSite(call, node.lineno, scope.name, one_line(ast.unparse(node), 90))


def called_name(call: ast.Call) -> str:
    """Return the last part of the name that is called, or "".

    Args:
        call: Any call.
    """
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def normal_call(call: ast.Call) -> str:
    """Return a call as text that is the same for calls of the same name with the same arguments.

    Args:
        call: A call whose names are read.
    """
    return ast.unparse(ast.Call(ast.Name(called_name(call)), call.args, call.keywords))


def normal_text(text: str) -> str:
    """Return `normal_call` of an expression's text, or "" when it is no call.

    Args:
        text: A Python expression.
    """
    tree = parse_source(text.strip(), mode="eval").body
    return normal_call(tree) if isinstance(tree, ast.Call) else ""


def is_harmless(expression: ast.expr, space: Mapping[str, Any]) -> bool:
    """Return whether evaluating an expression only makes values.

    Calls are taken when they call a builtin that makes a value, something of `torch`, or a class or function
    that the model's own files define; not those of data sets, tokenizers and the like.

    Args:
        expression: Any expression.
        space: What its names mean.
    """
    for node in ast.walk(expression):
        if isinstance(node, ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr):
            return False
        if isinstance(node, ast.Call) and not _is_harmless_call(node, space):
            return False
    return True


def _is_harmless_call(node: ast.Call, space: Mapping[str, Any]) -> bool:
    name = called_name(node)
    if isinstance(node.func, ast.Name) and node.func.id not in space:
        return name in PURE_CALLS and hasattr(builtins, name)
    if name in PURE_CALLS:
        return True
    value: Any = None
    parts = ast.unparse(node.func).split(".")
    if all(part.isidentifier() for part in parts) and parts[0] in space:
        value = space[parts[0]]
        for part in parts[1:]:
            value = getattr(value, part, None)
    home = getattr(value, "__module__", "") or ""
    own = isinstance(value, FunctionType) or is_class(value)
    return home.partition(".")[0] == "torch" or (own and home == space.get("__name__"))


def _made_by(scope: Scope, name: str) -> set[str]:
    """Return the names that a scope binds to what a call of `name` gives."""
    return {
        bound for bound, value in scope.bindings.items() if isinstance(value, ast.Call) and called_name(value) == name
    }
