"""What literals in a syntax tree say: strings, field names, docstrings."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from fxanchor.source.text import dotted_name

MAX_DOC = 600
_FIELD_MAKERS = ("namedtuple", "NamedTuple")


def string_constants(value: ast.expr) -> Iterator[tuple[str, int]]:
    """Yield the string constants of a literal with their lines, also of literals that are added."""
    match value:
        case ast.Constant(value=str(text)):
            yield text, value.lineno
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
            for item in items:
                yield from string_constants(item)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from string_constants(left)
            yield from string_constants(right)


def is_written_out(value: ast.expr) -> bool:
    """Return whether a value is made of string constants alone."""
    match value:
        case ast.Constant():
            return True
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
            return all(is_written_out(item) for item in items)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return is_written_out(left) and is_written_out(right)
    return False


def spelled_out(value: ast.expr, body: Sequence[ast.stmt]) -> ast.expr:
    """Return a sum of lists with those that a module names before put in: `submodules + ["test"]`.

    A sum that also takes what `dir()` lists is left as it is: it holds every name of the module anyhow.

    Args:
        value: The sum.
        body: The statements of the module.
    """
    match value:
        case ast.BinOp(left=ast.ListComp()) | ast.BinOp(right=ast.ListComp()):
            return value
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return ast.BinOp(spelled_out(left, body), ast.Add(), spelled_out(right, body))
        case ast.Name(id=name):
            for statement in body:
                match statement:
                    case ast.Assign(targets=[ast.Name(id=known)], value=ast.List() | ast.Tuple() as listed):
                        if known == name:
                            return listed
    return value


def field_names(call: ast.Call) -> Iterator[tuple[str, int]]:
    """Yield the field names of a `namedtuple(...)` or `NamedTuple(...)` call with their lines."""
    if dotted_name(call.func).rpartition(".")[2] not in _FIELD_MAKERS or len(call.args) < 2:
        return
    fields: Iterable[ast.expr] = call.args[1].elts if isinstance(call.args[1], ast.List | ast.Tuple) else []
    for each in fields:
        name = each.elts[0] if isinstance(each, ast.Tuple) and each.elts else each
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            yield name.value, name.lineno


def first_paragraph(body: list[ast.stmt]) -> str:
    """Return the first paragraph of a docstring on one line, or ""."""
    match body[:1]:
        case [ast.Expr(value=ast.Constant(value=str(text)))]:
            return _paragraph(text)
    return ""


def _paragraph(text: str) -> str:
    first = re.split(r"\n\s*\n", text.strip(), maxsplit=1)[0]
    return " ".join(first.split())[:MAX_DOC]


def assigned_doc(body: list[ast.stmt]) -> str:
    """Return the first paragraph of what a class sets `__doc__` to, or ""."""
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="__doc__")], value=value):
                texts = (node for node in ast.walk(value) if isinstance(node, ast.Constant))
                told = sorted(texts, key=lambda node: (node.lineno, node.col_offset))
                return next((_paragraph(node.value) for node in told if isinstance(node.value, str)), "")
    return ""
