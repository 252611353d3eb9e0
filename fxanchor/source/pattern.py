"""A statement named by what it does: a small pattern language over the syntax tree, stable where lines are not.

A pattern is one Python statement in which `...` stands for anything:

    self.graph = Graph(...)              an assignment, whatever the arguments; an annotation does not matter
    return n                             this return
    if not self.is_leaf_module(...): ...    an `if` with this condition, whatever its body
    for module in self._search: ...      a loop, whatever its body
    after self.graph = Graph(...)        the statement that follows it in the same block

`...` as an expression matches any expression; as the last argument of a call, any further arguments; as a body, any
body with any `else`. Only statements of the function itself are searched, not those of functions nested in it. A
pattern must match exactly one statement.
"""

import ast
from collections.abc import Iterator

from fxanchor.errors import UsageError

_AFTER = "after "


def find_statement(function: ast.FunctionDef | ast.AsyncFunctionDef, pattern: str) -> ast.stmt:
    """Return the statement that a pattern names.

    Args:
        function: The function whose body is searched.
        pattern: The pattern.

    Raises:
        UsageError: When the pattern is no statement, or names no statement or several.
    """
    text = pattern.strip()
    follows = text.startswith(_AFTER)
    wanted = _parsed(text.removeprefix(_AFTER), pattern)
    blocks = list(_blocks(function.body))
    found = [(block, at) for block in blocks for at, each in enumerate(block) if _same(wanted, each)]
    if len(found) != 1:
        many = f"{len(found)} statements" if found else "no statement"
        raise UsageError(f"The pattern {pattern!r} names {many} of {function.name}. Make it name exactly one.")
    block, at = found[0]
    if not follows:
        return block[at]
    if at + 1 == len(block):
        raise UsageError(f"Nothing follows {pattern.removeprefix(_AFTER)!r} in its block. Name the statement itself.")
    return block[at + 1]


def _parsed(text: str, pattern: str) -> ast.stmt:
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        body = []
    if len(body) != 1:
        raise UsageError(f"The pattern {pattern!r} is not one Python statement. Write one, with ... for any part.")
    return body[0]


def _blocks(body: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of statements that run in the frame of the function."""
    yield body
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for field in ("body", "orelse", "finalbody"):
            if inner := getattr(statement, field, None):
                yield from _blocks(inner)
        for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            yield from _blocks(part.body)


def _same(wanted: object, found: object) -> bool:
    """Return whether a syntax tree is what the pattern's tree describes."""
    if _is_anything(wanted):
        return isinstance(found, ast.expr)
    if isinstance(wanted, ast.Assign) and isinstance(found, ast.AnnAssign):
        return found.value is not None and _same(wanted.targets, [found.target]) and _same(wanted.value, found.value)
    if isinstance(wanted, ast.Call) and isinstance(found, ast.Call):
        return _same(wanted.func, found.func) and _same_arguments(wanted, found)
    if isinstance(wanted, ast.AST):
        if type(wanted) is not type(found):
            return False
        skipped = {"ctx", "type_comment", "kind", *(("orelse", "body") if _any_body(wanted) else ())}
        fields = [name for name in wanted._fields if name not in skipped]
        return all(_same(getattr(wanted, name, None), getattr(found, name, None)) for name in fields)
    if isinstance(wanted, list) and isinstance(found, list):
        return len(wanted) == len(found) and all(_same(*pair) for pair in zip(wanted, found, strict=True))
    return type(wanted) is type(found) and wanted == found


def _same_arguments(wanted: ast.Call, found: ast.Call) -> bool:
    if wanted.args and _is_anything(wanted.args[-1]):
        given = wanted.args[:-1]
        named = {keyword.arg: keyword.value for keyword in found.keywords}
        return _same(given, found.args[: len(given)]) and all(
            keyword.arg in named and _same(keyword.value, named[keyword.arg]) for keyword in wanted.keywords
        )
    return _same(wanted.args, found.args) and _same(wanted.keywords, found.keywords)


def _any_body(node: ast.AST) -> bool:
    body = getattr(node, "body", None)
    return isinstance(body, list) and len(body) == 1 and isinstance(body[0], ast.Expr) and _is_anything(body[0].value)


def _is_anything(node: object) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...
