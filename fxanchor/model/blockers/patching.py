"""Running functions from a changed copy of their source; the user's file is never touched."""

import ast
import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import Any, TypeVar

from fxanchor.model.sources import FunctionNode, Sources, first_line, range_of
from fxanchor.model.syntax import parse_source

# Makes the new syntax of the old one: an expression of an expression, statements of a statement.
Build = Callable[[ast.expr | ast.stmt], ast.expr | list[ast.stmt]]


class UnpatchableError(Exception):
    """A change that cannot be made in memory."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of one expression or statement.

    Attributes:
        filename: The file, as its code objects name it.
        range: What is changed: first line, last line, and columns in UTF-8 bytes.
        statement: Whether a statement is meant, where an expression has the same range.
        build: Makes the new syntax.
        scope: Names that the new syntax needs in the globals of the module.
        text: The new text for a person to paste, "" when the change is none of the user's.
        before: Text to add at the top of the file along with it.
    """

    filename: str
    range: tuple[int, int, int, int]
    statement: bool
    build: Build
    scope: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    before: str = ""

    @property
    def place(self) -> tuple[object, ...]:
        """What is changed, to tell two edits of the same source."""
        return (self.filename, self.range, self.statement)


class LiveFunctions:
    """The live functions of every file, looked up among all objects once: that takes a quarter of a second."""

    def __init__(self) -> None:
        self._by_file: dict[str, list[FunctionType]] | None = None

    def of(self, filename: str) -> list[FunctionType]:
        """The functions of a file, as its code objects name it."""
        if self._by_file is None:
            self._by_file = {}
            for value in gc.get_objects():
                if type(value) is FunctionType:
                    self._by_file.setdefault(value.__code__.co_filename, []).append(value)
        return self._by_file.get(filename, [])


@contextmanager
def patched(edits: Sequence[Edit], sources: Sources, live: LiveFunctions) -> Iterator[None]:
    """Give every function that these edits touch the code of its changed source, until the block ends.

    Raises:
        UnpatchableError: When a function cannot be given the changed code.
    """
    with ExitStack() as stack:
        for filename in dict.fromkeys(edit.filename for edit in edits):
            stack.enter_context(_patched_file(filename, [e for e in edits if e.filename == filename], sources, live))
        yield


@contextmanager
def _patched_file(filename: str, edits: Sequence[Edit], sources: Sources, live: LiveFunctions) -> Iterator[None]:
    codes = _changed_codes(filename, edits, sources)
    scope = {name: value for edit in edits for name, value in edit.scope.items()}
    undo: list[tuple[FunctionType, CodeType]] = []
    added: list[tuple[dict[str, Any], str]] = []
    try:
        for function in live.of(filename):
            code = codes.get(_key(function.__code__))
            if code is None:
                continue
            if code.co_freevars != function.__code__.co_freevars:
                raise UnpatchableError(f"{function.__qualname__} would close over other variables")
            undo.append((function, function.__code__))
            function.__code__ = code
            for name, value in scope.items():
                if name not in function.__globals__:
                    function.__globals__[name] = value
                    added.append((function.__globals__, name))
        if not undo:
            raise UnpatchableError("no function of this file is alive at the place to change")
        yield
    finally:
        for function, code in undo:
            function.__code__ = code
        for globals_, name in added:
            globals_.pop(name, None)


_Key = tuple[str, int]


def _key(code: CodeType) -> _Key:
    return (code.co_qualname, code.co_firstlineno)


def _changed_codes(filename: str, edits: Sequence[Edit], sources: Sources) -> dict[_Key, CodeType]:
    """The code of every function around an edit, compiled from the changed source."""
    try:
        tree = parse_source("".join(sources.lines(filename)))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UnpatchableError("the source cannot be parsed") from error
    editor = _Editor(edits)
    try:
        tree = editor.visit(tree)
    except (SyntaxError, RecursionError) as error:
        raise UnpatchableError("the source cannot be changed") from error
    if editor.done != len(edits):
        raise UnpatchableError("the place to change is not in the source")
    try:
        module = compile(tree, filename, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, TypeError) as error:
        raise UnpatchableError("the changed source does not compile") from error
    lines = {(first_line(node), node.name) for node in editor.around if not isinstance(node, ast.Lambda)}
    found: dict[_Key, CodeType] = {}
    pending = [module]
    while pending:
        code = pending.pop()
        if (code.co_firstlineno, code.co_name) in lines:
            found[_key(code)] = code
        pending += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return found


class _Editor(ast.NodeTransformer):
    """Makes edits in a syntax tree; what is new stands where the old stood, so positions keep their meaning."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._edits = list(edits)
        self._functions: list[FunctionNode] = []
        self.around: list[FunctionNode] = []
        self.done = 0

    def visit(self, node: ast.AST) -> Any:  # noqa: ANN401 - as in ast.NodeVisitor
        """Visit one node, and replace it when an edit is about it."""
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            self._functions.append(node)
        # Inner edits first: an outer one keeps the inner one's result.
        result = self.generic_visit(node)
        if is_function:
            self._functions.pop()
        if isinstance(result, ast.expr | ast.stmt):
            for edit in self._edits:
                if range_of(result) == edit.range and isinstance(result, ast.stmt) == edit.statement:
                    self._edits.remove(edit)
                    self.done += 1
                    self.around += self._functions
                    return _placed(edit.build(result), node)
        return result


def _placed(new: ast.expr | list[ast.stmt], old: ast.AST) -> ast.expr | list[ast.stmt]:
    for root in [new] if isinstance(new, ast.expr) else new:
        # Nodes of the old source that the new one keeps have their own place; the others stand at the old one's.
        for node in ast.walk(root):
            if "lineno" in node._attributes and not hasattr(node, "lineno"):
                ast.copy_location(node, old)
    return new


def parsed_expression(text: str) -> Build:
    """Builds the expression of a text."""

    def build(_old: ast.expr | ast.stmt) -> ast.expr:
        return _without_places(parse_source(text, mode="eval").body)

    return build


def parsed_statements(text: str) -> Build:
    """Builds the statements of a text."""

    def build(_old: ast.expr | ast.stmt) -> list[ast.stmt]:
        return [_without_places(statement) for statement in parse_source(text).body]

    return build


_T = TypeVar("_T", bound=ast.AST)


def _without_places(root: _T) -> _T:
    for node in ast.walk(root):
        for name in ("lineno", "end_lineno", "col_offset", "end_col_offset"):
            if name in node._attributes and hasattr(node, name):
                delattr(node, name)
    return root
