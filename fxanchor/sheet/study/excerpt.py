"""Choose the lines of a definition that matter: its signature, where the model stopped, and its outline."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fxanchor.model.syntax import parse_source
from fxanchor.sheet.study.outline import Definer, Unit, read_units, show
from fxanchor.source.definition import Definition

if TYPE_CHECKING:
    from fxanchor.source.index import Index

_MOST = 25
_STOPS = 4
# Attributes of a class that come before its methods.
_ATTRIBUTES = 8
# A statement of more lines (a table, a message) is shown only where the run stopped in it.
_LONG = 6
# After so many units that no longer fit, nothing is tried any more.
_PATIENCE = 12
_COMMENTS = 3


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Some lines of a file, with the left-out ones marked.

    Attributes:
        file: Path relative to the site directory.
        line: First line of the definition.
        end_line: Last line of the definition.
        code: The lines, dedented; `...` stands for those left out. Docstrings are left out unmarked.
        permalink: Where the definition is on the web, or "".
    """

    file: str
    line: int
    end_line: int
    code: str
    permalink: str


def excerpt(definition: Definition, index: "Index", stops: Iterable[int]) -> Excerpt | None:
    """Return at most 25 lines of a definition that matter.

    A short definition is given whole but for its docstring. Of a longer function: the signature, the statements at
    which a run stopped, what it returns, then its outermost statements; of a class: its head, where a run stopped,
    its public methods and its annotated attributes.

    Args:
        definition: What to quote.
        index: The index it comes from.
        stops: Lines of the file at which a run stopped.

    Returns:
        The excerpt, or None when the definition has no source text of its own (a module) or its file has gone.
    """
    if definition.kind in ("module", "parameter"):
        return None
    file = [line.rstrip("\r\n") for line in index.lines(definition)]
    code = _code(file, definition, sorted(set(stops)))
    if not any(line.strip() for line in code):
        return None
    text = "\n".join(_dedented(code, file[definition.line - 1]))
    return Excerpt(definition.file, definition.line, definition.end_line, text, index.permalink(definition))


def _code(file: Sequence[str], definition: Definition, stops: Sequence[int]) -> list[str]:
    first, last = definition.line, definition.end_line
    source = list(file[first - 1 : last])
    tree = _parsed(source)
    if tree is None:
        return source if len(source) <= _MOST else [_assigned(source)]
    # The syntax tree counts from its own first line, which is an `if` that takes the indentation.
    lines = ["", *source]
    root = read_units(tree, lines)
    everything = list(root.everything())
    whole = _without_docstrings(tree, lines)
    if len(whole) <= _MOST:
        return [*_plain_decorators(file, _decorated_from(file, first)), *whole]
    kept: set[Unit] = set()
    misses = 0
    shift = first - 2
    for unit in _by_importance(root, everything, [stop - shift for stop in stops]):
        if len(show(root, kept | {unit}, lines)) <= _MOST:
            kept.add(unit)
        else:
            misses += 1
            if misses > _PATIENCE:
                break
    return [*_plain_decorators(file, _decorated_from(file, first)), *show(root, kept, lines)]


def _decorated_from(file: Sequence[str], line: int) -> int:
    """Return the line of the first decorator above a definition's line, 1-based; the line itself without any."""
    at = line
    while at > 1 and file[at - 2].strip().startswith("@"):
        at -= 1
    return at


def _plain_decorators(file: Sequence[str], first: int) -> Iterator[str]:
    for line in file[first - 1 :]:
        if not line.strip().startswith("@"):
            return
        if "(" not in line:
            yield line


def _by_importance(root: Unit, everything: Sequence[Unit], stops: Sequence[int]) -> Iterator[Unit]:
    stopped = [unit for stop in stops for unit in everything if unit.first <= stop <= unit.last]
    yield from (_at_depth(unit, 1 if isinstance(root.node, ast.ClassDef) else unit.depth) for unit in stopped[:_STOPS])
    short = [unit for unit in everything if unit.last - unit.first < _LONG and not unit.quiet]
    if isinstance(root.node, ast.ClassDef):
        named = {unit: name for unit in root.inside if not unit.quiet and (name := _name(unit.node))}
        public = [unit for unit, name in named.items() if not name.startswith("_")]
        attributes = [unit for unit in public if not unit.block]
        yield from attributes[:_ATTRIBUTES]
        yield from (unit for unit, name in named.items() if name == "__init__")
        yield from (unit for unit in public if unit.block)
        yield from attributes[_ATTRIBUTES:]
        yield from (unit for unit, name in named.items() if name.startswith("__"))
        return
    yield from (unit for unit in root.inside[-1:] if unit in short)
    for depth in range(1, 4):
        yield from (unit for unit in short if unit.depth == depth)


def _at_depth(unit: Unit, depth: int) -> Unit:
    """Return the unit, or the block around it that is at most so deep."""
    while unit.parent is not None and unit.depth > depth:
        unit = unit.parent
    return unit


def _assigned(source: Sequence[str]) -> str:
    """Return a long assignment without its value."""
    indent = source[0][: len(source[0]) - len(source[0].lstrip())]
    body = parse_source("if 1:\n" + "\n".join(source)) if indent else parse_source("\n".join(source))
    statement = body.body[0].body[0] if isinstance(body.body[0], ast.If) else body.body[0]
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        statement.value = ast.Constant(...)
    return indent + ast.unparse(statement)


def _name(node: ast.AST | None) -> str:
    """Return the name of a method or of an annotated attribute, "" for anything else."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return node.name
    return node.target.id if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) else ""


def _without_docstrings(tree: Definer, lines: Sequence[str]) -> list[str]:
    """Return the lines without docstrings, unless nothing else is in a body."""
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and len(node.body) > 1:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                skipped.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return [line for number, line in enumerate(lines, 1) if line.strip() and number not in skipped]


def _dedented(code: Sequence[str], first: str) -> Iterator[str]:
    """Give lines without the indentation of the definition; the inside of a string may stand further left."""
    indent = first[: len(first) - len(first.lstrip())]
    yield from (line.removeprefix(indent) for line in code)


def comment_above(file: Sequence[str], line: int) -> str:
    """Return the short comment right above a line, without its signs; "" when there is none.

    Args:
        file: The lines of the file.
        line: 1-based.
    """
    at = line - 1
    while at > 0 and file[at - 1].strip().startswith("#"):
        at -= 1
    words = [one.strip().lstrip("#").strip() for one in file[at : line - 1]]
    return " ".join(words) if len(words) <= _COMMENTS else ""


def _parsed(source: Sequence[str]) -> Definer | None:
    """Return the syntax tree of a definition, its lines counted from 2; None when it is no class or function."""
    text = "\n".join(source)
    try:
        head = "if 1:\n" if text[:1].isspace() else "\n"
        body = parse_source(head + text).body
    except (SyntaxError, ValueError, RecursionError):
        return None
    tree = body[0].body[0] if body and isinstance(body[0], ast.If) and head.strip() else body[0] if body else None
    return tree if isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else None
