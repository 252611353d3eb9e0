"""A function of a file -> its syntax tree, its code object compiled from its own lines, and the lines that stop."""

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType

_FUTURE = re.compile(r"^from __future__ import (?:[^\n(]*|\([^)]*)\bannotations\b", re.MULTILINE)
_ANNOTATIONS_FLAG = 0x1000000  # what `from __future__ import annotations` sets; part of the marshal format since 3.7

# The last instruction of these carries the line on which they begin.
_ENDED_ON_THEIR_LINE = (ast.Return, ast.Assign)
# The fields of a statement that hold statements, or what holds them.
_BODIES = ("body", "orelse", "handlers", "finalbody", "cases")

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Function:
    """A function as Python compiles it.

    Attributes:
        node: Its syntax tree, with the line numbers of the file.
        code: Its code object, with the same line numbers.
    """

    node: FunctionNode
    code: CodeType

    def entry_line(self) -> int:
        """Return the first line of the body on which every call stops: that of its first statement with bytecode."""
        body = [] if isinstance(self.node, ast.Lambda) else self.node.body
        if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:]
        lines = (line for statement in body if (line := self.line_of(statement)))
        return next(lines, 0) or next(iter(self._body_lines()), self.code.co_firstlineno)

    def line_of(self, statement: ast.stmt) -> int:
        """Return the line on which a statement of this function stops, or 0 when it has no bytecode.

        It is not always the line on which it is written: `if (` over several lines has bytecode from its first operand
        on. An assignment or `return` over several lines is stopped on where it is written: the instruction that ends
        it stands there and runs whenever the statement does.
        """
        first = min([statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", []))])
        last = statement.end_lineno or statement.lineno
        lines = self._body_lines()
        if isinstance(statement, _ENDED_ON_THEIR_LINE) and statement.lineno in lines:
            return statement.lineno
        return next((line for line in lines if first <= line <= last), 0)

    def _body_lines(self) -> list[int]:
        """Return the lines that have bytecode after the function has been entered, in the order of the bytecode."""
        start = _resume_offset(self.code)
        return [line for _, end, line in self.code.co_lines() if end > start + 2 and line]


def compile_function(lines: Sequence[str], outer: tuple[int, int], first: int, line: int, name: str) -> Function | None:
    """Compile one function, without the rest of its file.

    Line tables do not depend on what stands around a function, so its own lines, or those of the outermost function
    around it, are enough; this is many times faster than compiling the file.

    Args:
        lines: The lines of the file.
        outer: First and last line of the outermost function or assignment around it, decorators included.
        first: First line of the function, decorators included: its `co_firstlineno`.
        line: Line of its `def`, or of the assignment that holds a lambda.
        name: Its simple name, or `<lambda>`.

    Returns:
        The function, or None when these lines hold no such function or do not compile.
    """
    start, end = outer
    if not 1 <= start <= end <= len(lines):
        return None
    future = bool(_FUTURE.search("".join(lines[: min(start, 400)])))
    compiled = _compiled("".join(lines[start - 1 : end]), start, future)
    if compiled is None:
        return None
    tree, code = compiled
    nodes = _lambdas(tree, line) if name == "<lambda>" else _functions(tree, line, name)
    node = next(nodes, None)
    # A lambda over several lines may begin below the line of its assignment.
    codes = [each for each in _codes(code) if each.co_name == name and first <= each.co_firstlineno <= end]
    if node is None or not codes:
        return None
    exact = [each for each in codes if each.co_firstlineno == first]
    return Function(node, (exact or codes)[0])


@lru_cache(maxsize=512)
def _compiled(text: str, start: int, future: bool) -> tuple[ast.Module, CodeType] | None:
    if text[:1].isspace():
        # A block of its own lets the lines keep their indentation; a class, so that `super()` compiles as it does.
        text, start = f"class _:\n{text}", start - 1
    flags = _ANNOTATIONS_FLAG if future else 0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # Empty lines before it number the lines as in the file; many times faster than `ast.increment_lineno`.
            tree = ast.parse("\n" * (start - 1) + text)
            return tree, compile(tree, "<source>", "exec", flags, dont_inherit=True, optimize=0)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None


def _functions(tree: ast.Module, line: int, name: str) -> Iterator[FunctionNode]:
    """Walk statements alone: most nodes of a tree are expressions, which hold no `def`."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        holder = waiting.pop()
        if isinstance(holder, ast.FunctionDef | ast.AsyncFunctionDef) and (holder.name, holder.lineno) == (name, line):
            yield holder
        for field in _BODIES:
            waiting += getattr(holder, field, ())


def _lambdas(tree: ast.Module, line: int) -> Iterator[ast.Lambda]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Lambda) and node.lineno >= line)


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


@lru_cache(maxsize=1)
def _resume() -> int:
    from opcode import opmap

    return opmap["RESUME"]


def _resume_offset(code: CodeType) -> int:
    """Return the offset of the first `RESUME`; before it a call only sets up cells and generators."""
    instructions = code.co_code
    resume = _resume()
    return next((at for at in range(0, len(instructions), 2) if instructions[at] == resume), 0)
