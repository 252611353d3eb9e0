"""Choose the lines of a definition that matter: its signature, and what happens where the model stopped."""

import ast
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fxanchor.source.definition import Definition

if TYPE_CHECKING:
    from fxanchor.source.index import Index

_MOST = 25
_AROUND = 2


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Some lines of a file, with the left-out ones marked.

    Attributes:
        file: Path relative to the site directory.
        line: First line of the definition.
        end_line: Last line of the definition.
        code: The lines, dedented; `...` stands for those left out.
        permalink: Where the definition is on the web, or "".
    """

    file: str
    line: int
    end_line: int
    code: str
    permalink: str


def excerpt(definition: Definition, index: "Index", stops: Iterable[int]) -> Excerpt | None:
    """Return at most 25 lines of a definition that matter.

    A short definition is given whole but for its docstring. Of a longer function the signature, the lines around
    each stop, then its returns and raises; of a class its head and the first line of each public method.

    Args:
        definition: What to quote.
        index: The index it comes from.
        stops: Lines of the file at which a run stopped.

    Returns:
        The excerpt, or None when the definition has no source text of its own (a module).
    """
    if definition.kind in ("module", "parameter"):
        return None
    source = index.source(definition)
    # Decorators precede the definition's own line and belong to what is quoted only by its text.
    lines = source.splitlines()
    offset = definition.end_line - len(lines)
    chosen = _choose(source, definition, [line - offset for line in stops])
    code = "\n".join(_with_gaps(lines, chosen))
    return Excerpt(
        definition.file, definition.line, definition.end_line, textwrap.dedent(code), index.permalink(definition)
    )


def _choose(source: str, definition: Definition, stops: Sequence[int]) -> set[int]:
    """Return 1-based numbers of the lines to keep."""
    lines = source.splitlines()
    tree = _parsed(source)
    if not isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return set(range(1, min(len(lines), _MOST) + 1))
    skipped = _docstring_lines(tree)
    whole = [number for number, line in enumerate(lines, 1) if line.strip() and number not in skipped]
    if len(whole) <= _MOST:
        return set(whole)
    kept: set[int] = set()
    for wanted in _by_importance(tree, stops, whole):
        if len(kept | {wanted}) > _MOST:
            break
        kept.add(wanted)
    return kept


def _by_importance(
    tree: "ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef", stops: Sequence[int], whole: Sequence[int]
) -> Iterator[int]:
    usable = set(whole)
    yield from (line for line in range(tree.lineno, tree.body[0].lineno) if line in usable)
    if isinstance(tree, ast.ClassDef):
        methods = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        yield from (node.lineno for node in methods if not node.name.startswith("_"))
        return
    for stop in stops:
        yield from (line for line in range(stop - _AROUND, stop + _AROUND + 1) if line in usable)
    leaving = (node for node in ast.walk(tree) if isinstance(node, ast.Return | ast.Raise))
    yield from (node.lineno for node in leaving if node.lineno in usable)
    yield from (line for line in whole if line >= tree.body[0].lineno)


def _with_gaps(lines: Sequence[str], chosen: set[int]) -> Iterator[str]:
    """Give the chosen lines; what is left out between them is `...` behind a block's head, or on a line of its own."""
    numbers = sorted(chosen)
    for number, following in zip(numbers, [*numbers[1:], len(lines) + 1], strict=True):
        text = lines[number - 1]
        left_out = any(line.strip() for line in lines[number : following - 1])
        head = text.partition("  #")[0].rstrip()
        if left_out and head.endswith((":", "(")):
            yield f"{head}...): ..." if head.endswith("(") else f"{head} ..."
            continue
        yield text
        if left_out:
            indent = len(lines[following - 1]) - len(lines[following - 1].lstrip()) if following <= len(lines) else 4
            yield f"{' ' * indent}..."


def _docstring_lines(tree: ast.stmt) -> set[int]:
    """Return the lines of the docstrings of a definition and of those inside it."""
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                found.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return found


def _parsed(source: str) -> ast.stmt | None:
    try:
        body = ast.parse(textwrap.dedent(source)).body
    except SyntaxError:
        return None
    return body[0] if body else None
