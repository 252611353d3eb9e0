"""The parameters that a function or class of the packages takes, as its source says."""

import ast
from dataclasses import dataclass
from functools import cache

from fxanchor.checking.library import Library
from fxanchor.model.syntax import parse_source
from fxanchor.source.definition import Definition


@dataclass(frozen=True, slots=True)
class Signature:
    """How something is called.

    Attributes:
        definition: The function or method that takes the arguments.
        positional: Names of the parameters that can be given by position, without `self`.
        keyword: Names of those that can be given by name.
        any_positional: Whether it takes `*args`.
        any_keyword: Whether it takes `**kwargs`.
        shown: The signature as written.
    """

    definition: Definition
    positional: tuple[str, ...]
    keyword: tuple[str, ...]
    any_positional: bool
    any_keyword: bool
    shown: str


def signature(target: Definition, library: Library) -> Signature | None:
    """Return the signature of a function, a method or a class's constructor; None when the source does not show it."""
    called: Definition | None = target
    if target.kind == "class":
        called = library.names.member(target, "__init__")
        made = library.names.member(target, "__new__")
        if called is None or (made is not None and made.parent == target.name and called.parent != target.name):
            return None
    if called is None or called.kind not in ("function", "method"):
        return None
    found = [
        node
        for node in _functions("".join(library.index.lines(called)))
        if node.name == called.simple_name and node.lineno == called.line
    ]
    return _read(found[0], called, target) if found else None


def _read(node: "ast.FunctionDef | ast.AsyncFunctionDef", called: Definition, target: Definition) -> Signature | None:
    decorators = {ast.unparse(each).partition("(")[0].rpartition(".")[2] for each in node.decorator_list}
    if "overload" in decorators:
        return None
    first = [argument.arg for argument in [*node.args.posonlyargs, *node.args.args]]
    bound = called.kind == "method" and "staticmethod" not in decorators
    hidden = first[:1] if bound else []
    shown = ast.unparse(node.args)
    for name in hidden:
        shown = shown.removeprefix(name).removeprefix(", ")
    only_position = {argument.arg for argument in node.args.posonlyargs}
    keyword = [name for name in first if name not in only_position and name not in hidden]
    return Signature(
        definition=called,
        positional=tuple(first[len(hidden) :]),
        keyword=(*keyword, *(argument.arg for argument in node.args.kwonlyargs)),
        any_positional=node.args.vararg is not None,
        any_keyword=node.args.kwarg is not None,
        shown=f"{target.simple_name}({shown})",
    )


@cache
def _functions(source: str) -> "tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...]":
    try:
        tree = parse_source(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
