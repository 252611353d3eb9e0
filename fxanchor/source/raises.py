"""The `raise` statements of a definition: where the code says what it does not do."""

import ast
import warnings
from functools import lru_cache

from fxanchor.source.definition import Definition, Raise

MAX_MESSAGE = 300


def find_raises(source: str, definition: Definition) -> tuple[Raise, ...]:
    """Return the `raise` statements between the first and the last line of a definition.

    Args:
        source: Text of the definition's file.
        definition: The definition.
    """
    found = [each for each in _all_raises(source) if definition.line <= each.lineno <= definition.end_line]
    return tuple(_described(each, definition.file) for each in sorted(found, key=lambda each: each.lineno))


@lru_cache(maxsize=64)
def _all_raises(source: str) -> list[ast.Raise]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [node for node in ast.walk(tree) if isinstance(node, ast.Raise)]


def _described(node: ast.Raise, file: str) -> Raise:
    exception, message = "", ""
    if node.exc is not None:
        called = node.exc if isinstance(node.exc, ast.Call) else None
        exception = ast.unparse(called.func if called else node.exc)
        message = _message(called.args[0]) if called and called.args else ""
    return Raise(exception, " ".join(message.split())[:MAX_MESSAGE], file, node.lineno)


def _message(node: ast.expr) -> str:
    """Return a literal message with `{...}` for what is filled in, or "" when it is not a literal."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(_message(value) if isinstance(value, ast.Constant) else "{...}" for value in values)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _message(left) + _message(right)
        case ast.BinOp(left=left, op=ast.Mod()):
            return _message(left)
        case ast.Call(func=ast.Attribute(value=value, attr="format")):
            return _message(value)
    return ""
