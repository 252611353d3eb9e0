"""Show some statements of a definition, with `...` in the place of the others, so that it reads as Python."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

Definer = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_DEFINERS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# Lines of a signature that is shown whole where nothing of the body is.
_LONGEST_HEAD = 3


@dataclass(eq=False)
class Unit:
    """A simple statement, or the head of a block.

    Attributes:
        node: What it is; None for `else`, `finally` and the like.
        first: First line, 1-based in the text that was parsed.
        last: Last line of the statement, or of the head.
        parent: The block it stands in, or None.
        inside: What stands in it, for the head of a block.
        block: Whether it is the head of a block.
        needs: A clause of the same statement without which this one cannot stand.
        quiet: Whether it can be left out without a mark, as the setter of a property can.
    """

    node: ast.AST | None
    first: int
    last: int
    parent: "Unit | None"
    inside: list["Unit"] = field(default_factory=list)
    block: bool = False
    needs: "Unit | None" = None
    quiet: bool = False

    @property
    def depth(self) -> int:
        """How many blocks it stands in."""
        return 0 if self.parent is None else self.parent.depth + 1

    def everything(self) -> Iterator["Unit"]:
        """Give what stands in it, at any depth, in order."""
        for unit in self.inside:
            yield unit
            yield from unit.everything()


def read_units(definition: Definer, lines: Sequence[str]) -> Unit:
    """Return a definition as units; docstrings are left out.

    Args:
        definition: The syntax tree.
        lines: The lines of the text that it was parsed from.
    """
    return _block(definition, definition.lineno, definition.body, None, lines)


def show(root: Unit, kept: set[Unit], lines: Sequence[str]) -> list[str]:
    """Return the kept units and the heads of the blocks they stand in, with `...` for what is left out between.

    Args:
        root: The definition.
        kept: Units to show; the definition's own head always is.
        lines: The lines of the text that was parsed.
    """
    wanted: set[Unit] = {root}
    waiting = list(kept)
    while waiting:
        unit = waiting.pop()
        if unit not in wanted:
            wanted.add(unit)
            waiting.extend(each for each in (unit.parent, unit.needs) if each is not None)
    return list(_shown(root, wanted, lines))


def _shown(unit: Unit, wanted: set[Unit], lines: Sequence[str]) -> Iterator[str]:
    head = [line.rstrip() for line in lines[unit.first - 1 : unit.last]]
    if not unit.block:
        yield from head
        return
    yield from _decorators(unit, lines)
    chosen = [one for one in unit.inside if one in wanted]
    if not chosen:
        yield from _closed(unit, head)
        return
    yield from head
    left_out = False
    for one in unit.inside:
        if one in wanted:
            if left_out:
                yield _indent(lines[one.first - 1]) + "..."
            left_out = False
            yield from _shown(one, wanted, lines)
        elif not one.quiet:
            left_out = True
    if left_out:
        yield _indent(lines[unit.inside[-1].first - 1]) + "..."


def _closed(unit: Unit, head: list[str]) -> Iterator[str]:
    """Give the head of a block of which nothing is shown; of a long signature only the first line."""
    if not unit.inside:
        yield from head
        # A body of nothing but its docstring.
        if unit.block:
            yield _indent(head[0]) + "    ..."
        return
    if len(head) > _LONGEST_HEAD and isinstance(unit.node, _DEFINERS) and head[0].endswith("("):
        yield f"{head[0]}...): ..."
        return
    last = head[-1]
    code = last.partition("  #")[0].rstrip()
    if code.endswith(":"):
        yield from head[:-1]
        yield f"{code} ..."
    else:
        yield from head
        yield _indent(head[0]) + "    ..."


def _decorators(unit: Unit, lines: Sequence[str]) -> Iterator[str]:
    """Give the decorators that say what a function is, such as `property`; those that are called configure it."""
    if isinstance(unit.node, _DEFINERS):
        for decorator in unit.node.decorator_list:
            if isinstance(decorator, ast.Name | ast.Attribute):
                yield _indent(lines[unit.first - 1]) + "@" + ast.unparse(decorator)


def _block(
    node: ast.AST | None, first: int, body: Sequence[ast.stmt], parent: Unit | None, lines: Sequence[str]
) -> Unit:
    statements = list(body[1:] if isinstance(node, _DEFINERS) and _is_docstring(body[0]) else body)
    unit = Unit(node, first, _head_end(first, body, lines), parent, block=True, quiet=_is_setter(node))
    for statement in statements:
        unit.inside.extend(_statement(statement, unit, lines))
    return unit


def _statement(statement: ast.stmt, parent: Unit, lines: Sequence[str]) -> Iterator[Unit]:
    """Give the units of a statement: itself, or the clauses of a compound one, each a block."""
    first, end = statement.lineno, statement.end_lineno or statement.lineno
    body = _opening(statement)
    if body is None or _crowded(statement, lines):
        yield Unit(statement, first, end, parent)
        return
    if isinstance(statement, ast.Match):
        match = Unit(statement, first, _scan(first, statement.cases[0].pattern.lineno, lines), parent, block=True)
        for case in statement.cases:
            match.inside.append(_block(case, case.pattern.lineno, case.body, match, lines))
        yield match
        return
    opener = _block(statement, first, body, parent, lines)
    clauses = list(_clauses(statement, body[-1].end_lineno or first, parent, lines))
    for clause, before in zip(clauses, [opener, *clauses], strict=False):
        clause.needs = before
    if isinstance(statement, ast.Try | ast.TryStar):
        # `try:` alone is not Python.
        opener.needs = clauses[-1] if len(clauses) == 1 or not statement.handlers else clauses[0]
    yield opener
    yield from clauses


def _clauses(statement: ast.stmt, before: int, parent: Unit, lines: Sequence[str]) -> Iterator[Unit]:
    """Give the clauses behind the first one: handlers, `elif`, `else`, `finally`."""
    for handler in getattr(statement, "handlers", ()):
        yield _block(None, handler.lineno, handler.body, parent, lines)
        before = handler.body[-1].end_lineno or before
    for clause in (getattr(statement, "orelse", None), getattr(statement, "finalbody", None)):
        if not clause:
            continue
        at = _clause_line(before, clause[0], lines)
        if at == clause[0].lineno:
            # An `elif` is a statement of its own, on the line where its clause begins.
            yield from _statement(clause[0], parent, lines)
        else:
            yield _block(None, at, clause, parent, lines)
        before = clause[-1].end_lineno or before


def _opening(statement: ast.stmt) -> list[ast.stmt] | None:
    """Return the first block of a compound statement, or None."""
    if isinstance(statement, ast.Match):
        return statement.cases[0].body
    body = getattr(statement, "body", None)
    return body if isinstance(body, list) else None


def _crowded(statement: ast.stmt, lines: Sequence[str]) -> bool:
    """Tell whether a clause of a compound statement holds its body on its own line: such are shown whole."""
    clauses = [getattr(statement, name, None) for name in ("body", "orelse", "finalbody")]
    clauses += [part.body for name in ("handlers", "cases") for part in getattr(statement, name, ())]
    firsts = [clause[0] for clause in clauses if isinstance(clause, list) and clause]
    return any(lines[first.lineno - 1][: first.col_offset].strip() for first in firsts)


def _clause_line(before: int, first: ast.stmt, lines: Sequence[str]) -> int:
    """Return the line of `else:` or `finally:`, or that of the statement when it is an `elif`."""
    for number in range(before + 1, first.lineno + 1):
        if lines[number - 1].strip().partition("#")[0].strip().startswith(("else", "finally", "elif")):
            return number
    return first.lineno


def _head_end(first: int, body: Sequence[ast.stmt], lines: Sequence[str]) -> int:
    start = body[0]
    decorators = getattr(start, "decorator_list", None) or []
    return _scan(first, min([start.lineno, *(one.lineno for one in decorators)]), lines)


def _scan(first: int, body: int, lines: Sequence[str]) -> int:
    """Return the last line of a head: the last one before the body that ends in a colon."""
    for number in range(body - 1, first, -1):
        text = lines[number - 1].strip()
        if not text.startswith("#") and text.partition(" #")[0].rstrip().endswith(":"):
            return number
    return first


def _is_setter(node: ast.AST | None) -> bool:
    decorators: Sequence[ast.expr] = getattr(node, "decorator_list", ())
    return any(isinstance(one, ast.Attribute) and one.attr in ("setter", "deleter") for one in decorators)


def _is_docstring(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
