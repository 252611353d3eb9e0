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
    count = len(source.splitlines())
    tree = _parsed(source)
    if not isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return set(range(1, min(count, _MOST) + 1))
    skipped = _docstring_lines(tree)
    whole = [line for line in range(1, count + 1) if line not in skipped]
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
    first = tree.body[1] if _docstring_lines(tree) and len(tree.body) > 1 else tree.body[0]
    head_end = min(first.lineno - 1, tree.lineno + 8) if not _docstring_lines(tree) else tree.body[0].lineno - 1
    yield from range(tree.lineno, max(tree.lineno, head_end) + 1)
    usable = set(whole)
    for stop in stops:
        yield from (line for line in range(stop - _AROUND, stop + _AROUND + 1) if line in usable)
    if isinstance(tree, ast.ClassDef):
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
                yield node.lineno
    else:
        leaving = (node for node in ast.walk(tree) if isinstance(node, ast.Return | ast.Raise))
        yield from (node.lineno for node in leaving)
    yield from (line for line in whole if line >= first.lineno)


def _with_gaps(lines: Sequence[str], chosen: set[int]) -> Iterator[str]:
    previous = 0
    for number in sorted(chosen):
        text = lines[number - 1]
        if previous and number > previous + 1:
            indent = " " * (len(text) - len(text.lstrip()))
            yield f"{indent}..."
        yield text
        previous = number
    if previous and previous < len(lines):
        yield f"{' ' * (len(lines[-1]) - len(lines[-1].lstrip()))}..."


def _docstring_lines(tree: "ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef") -> set[int]:
    first = tree.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return set()


def _parsed(source: str) -> ast.stmt | None:
    try:
        body = ast.parse(textwrap.dedent(source)).body
    except SyntaxError:
        return None
    return body[0] if body else None
