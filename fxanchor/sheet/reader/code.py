"""Source code as lines of coloured pieces, and the lines of a long definition that are worth showing."""

import ast
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from fxanchor.model.syntax import parse_source

if TYPE_CHECKING:
    from pygments.token import _TokenType

# Longer lines are data rather than code, and slow to take apart.
_MOST_CHARACTERS: Final = 2_000
_KINDS: Final = {
    "Comment": "comment",
    "Literal.String": "string",
    "Literal.Number": "number",
    "Keyword": "keyword",
    "Operator.Word": "keyword",
    "Name.Function": "function",
    "Name.Class": "class",
    "Name.Exception": "class",
    "Name.Decorator": "decorator",
    "Name.Builtin": "builtin",
}
_WHOLE: Final = 90
_HEAD: Final = 24
_TAIL: Final = 3
_AROUND: Final = 7
_DOCSTRING: Final = 6


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of characters of one colour.

    Attributes:
        kind: Short name of the colour, "" for plain text.
        text: The characters.
    """

    kind: str
    text: str


Line = tuple[Piece, ...]


def coloured(source: str) -> tuple[Line, ...]:
    """Return the lines of Python source as pieces; together they are exactly the source."""
    if any(len(line) > _MOST_CHARACTERS for line in source.split("\n")):
        return tuple((Piece("", line),) if line else () for line in source.split("\n"))
    from pygments.lexers.python import PythonLexer

    lines: list[list[Piece]] = [[]]
    for token, value in PythonLexer(stripnl=False, ensurenl=False).get_tokens(source):
        kind = _kind(token)
        for number, text in enumerate(value.split("\n")):
            if number:
                lines.append([])
            if text:
                lines[-1].append(Piece(kind, text))
    return tuple(tuple(line) for line in lines)


def _kind(token: "_TokenType") -> str:
    name = ".".join(token)
    return next((kind for parent, kind in _KINDS.items() if name.startswith(parent)), "")


def worth_showing(source: str, stops: Sequence[int]) -> tuple[int, ...]:
    """Choose the lines of a definition to show.

    A short definition is shown whole, but for all except the first lines of a long docstring. Of a long one the
    head, the end, the lines around each stop, and of a class the first line of every method are shown.

    Args:
        source: The definition.
        stops: 1-based lines of it at which a debugger stops.

    Returns:
        1-based lines, in order.
    """
    count = len(source.rstrip("\n").split("\n"))
    tree = _parsed(source)
    kept = set(range(1, count + 1))
    if count > _WHOLE:
        body = tree.body[0].lineno if isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else 1
        kept = set(range(1, body + _HEAD)) | set(range(count - _TAIL + 1, count + 1))
        kept |= {line for stop in stops for line in range(stop - _AROUND, stop + _AROUND + 1)}
        if isinstance(tree, ast.ClassDef):
            kept |= {node.lineno for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    kept -= set(_folded(tree))
    # Naming one left-out line takes as much room as showing it.
    kept |= {line for line in range(2, count) if line - 1 in kept and line + 1 in kept}
    return tuple(sorted(line for line in kept if 1 <= line <= count))


def _folded(tree: ast.stmt | None) -> Iterator[int]:
    """Give the lines of long docstrings behind their first lines, without the one that closes them."""
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield from range(first.lineno + _DOCSTRING, first.end_lineno or first.lineno)


def _parsed(source: str) -> ast.stmt | None:
    try:
        body = parse_source(textwrap.dedent(source)).body
    except (SyntaxError, ValueError, RecursionError):
        return None
    return body[0] if body else None
