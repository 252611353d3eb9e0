"""The text and syntax tree of the files that frames run in, read once."""

import ast
import gc
import linecache
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType

from fxanchor.model.syntax import parse_source

_MAX_CHARACTERS = 5_000_000


class Sources:
    """Reads source files by the file name of a code object; a file that cannot be read has no lines."""

    def __init__(self) -> None:
        self._lines: dict[str, list[str]] = {}
        self._trees: dict[str, ast.Module | None] = {}
        self._functions: dict[str, dict[int, list[FunctionNode]]] = {}
        self._ranges: dict[str, dict[Range, list[ast.AST]]] = {}
        self._calls: dict[str, dict[CallPlace, list[ast.Call]]] = {}
        self._parents: dict[str, dict[ast.AST, ast.AST]] = {}

    def lines(self, filename: str) -> list[str]:
        """The lines of a file, with their ends; empty when it cannot be read."""
        found = self._lines.get(filename)
        if found is None:
            found = self._lines[filename] = linecache.getlines(filename)
        return found

    def tree(self, filename: str) -> ast.Module | None:
        """The syntax tree of a file, or None when it cannot be parsed."""
        if filename not in self._trees:
            text = "".join(self.lines(filename))
            with collecting_no_garbage():
                try:
                    self._trees[filename] = parse_source(text) if 0 < len(text) < _MAX_CHARACTERS else None
                except (SyntaxError, ValueError, RecursionError, MemoryError):
                    self._trees[filename] = None
        return self._trees[filename]

    def function(self, code: CodeType) -> "FunctionNode | None":
        """The definition a code object was compiled from, or None when that is not certain."""
        by_line = self._functions.get(code.co_filename)
        if by_line is None:
            by_line = self._functions[code.co_filename] = {}
            tree = self.tree(code.co_filename)
            for node in ast.walk(tree) if tree is not None else ():
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                    by_line.setdefault(first_line(node), []).append(node)
        found = [node for node in by_line.get(code.co_firstlineno, []) if _name(node) == code.co_name]
        return found[0] if len(found) == 1 else None

    def at(self, filename: str, wanted: "Range") -> list[ast.AST]:
        """The syntax nodes of exactly this range (lines, then columns in UTF-8 bytes), the outermost first."""
        ranges = self._ranges.get(filename)
        if ranges is None:
            ranges = self._ranges[filename] = {}
            tree = self.tree(filename)
            for node in ast.walk(tree) if tree is not None else ():
                if isinstance(node, ast.expr | ast.stmt):
                    ranges.setdefault(range_of(node), []).append(node)
        return ranges.get(wanted, [])

    def method_calls(self, filename: str) -> "dict[CallPlace, list[ast.Call]]":
        """The calls of attributes by where their last dotted name stands and where they end."""
        found = self._calls.get(filename)
        if found is None:
            found = self._calls[filename] = {}
            tree = self.tree(filename)
            for node in ast.walk(tree) if tree is not None else ():
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                    place = (node.func.end_lineno, node.end_lineno, node.end_col_offset)
                    found.setdefault(place, []).append(node)
        return found

    def parents(self, filename: str, node: ast.AST) -> list[ast.AST]:
        """The syntax nodes around one of this file, the nearest first."""
        known = self._parents.get(filename)
        if known is None:
            known = self._parents[filename] = {}
            tree = self.tree(filename)
            for parent in ast.walk(tree) if tree is not None else ():
                for child in ast.iter_child_nodes(parent):
                    # Contexts such as ast.Load() are one shared object; they have no place.
                    if not isinstance(child, ast.expr_context | ast.operator | ast.cmpop | ast.boolop | ast.unaryop):
                        known[child] = parent
        found: list[ast.AST] = []
        while node in known:
            node = known[node]
            found.append(node)
        return found

    def text(self, filename: str, start: tuple[int, int], end: tuple[int, int]) -> str:
        """The text between two places (1-based line, 0-based column in characters)."""
        lines = self.lines(filename)
        if not (0 < start[0] <= end[0] <= len(lines)):
            return ""
        if start[0] == end[0]:
            return lines[start[0] - 1][start[1] : end[1]]
        middle = lines[start[0] : end[0] - 1]
        return "".join([lines[start[0] - 1][start[1] :], *middle, lines[end[0] - 1][: end[1]]])


@contextmanager
def collecting_no_garbage() -> Iterator[None]:
    """Keep the collector out: with torch loaded, each full collection that a tree's many nodes cause takes long."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


# First line, last line, first column, column behind the last: as co_positions() gives them.
# Line of the attribute, last line, column behind the last.
CallPlace = tuple[int | None, int | None, int | None]
Range = tuple[int | None, int | None, int | None, int | None]


def range_of(node: ast.expr | ast.stmt) -> tuple[int, int, int, int]:
    """The range of a syntax node."""
    end_line = node.lineno if node.end_lineno is None else node.end_lineno
    return (node.lineno, end_line, node.col_offset, node.end_col_offset or node.col_offset)


FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def first_line(node: FunctionNode) -> int:
    """The first line of a definition as its code object tells it: that of the first decorator."""
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _name(node: FunctionNode) -> str:
    return "<lambda>" if isinstance(node, ast.Lambda) else node.name
