"""The expression to look at: the operand that the failing instruction worked on, rather than all that surrounds it."""

import ast

from fxanchor.model.positions import Locator, Site, opcode_at


def culprit(site: Site, locator: Locator) -> ast.expr | ast.stmt | None:
    """The syntax node to blame for a failing instruction, or None when the source does not tell."""
    found = [node for node in locator.syntax(site) if isinstance(node, ast.expr | ast.stmt)]
    if not found:
        return None
    # An expression statement and its expression have one range; the expression is what the instruction is about.
    node = found[-1]
    opcode = opcode_at(site)
    if isinstance(node, ast.With) and len(node.items) == 1:
        return node.items[0].context_expr
    if "JUMP" in opcode or opcode in ("TO_BOOL", "UNARY_NOT"):
        return _tested(node)
    if opcode in ("GET_ITER", "FOR_ITER"):
        return _iterated(node)
    if opcode in ("LIST_EXTEND", "SET_UPDATE", "CALL_FUNCTION_EX"):
        return _starred(node)
    if opcode in ("DICT_MERGE", "DICT_UPDATE"):
        return _double_starred(node)
    return node


def _tested(node: ast.expr | ast.stmt) -> ast.expr | ast.stmt:
    if isinstance(node, ast.If | ast.While | ast.Assert | ast.IfExp):
        return node.test
    return node


def _iterated(node: ast.expr | ast.stmt) -> ast.expr | ast.stmt:
    if isinstance(node, ast.For):
        return node.iter
    if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
        return node.generators[0].iter
    return node


def _starred(node: ast.expr | ast.stmt) -> ast.expr | ast.stmt:
    """The starred argument, where there is one only."""
    candidates: list[ast.expr] = []
    if isinstance(node, ast.Call):
        candidates = node.args
    elif isinstance(node, ast.List | ast.Tuple | ast.Set):
        candidates = node.elts
    starred = [item for item in candidates if isinstance(item, ast.Starred)]
    return starred[0] if len(starred) == 1 else node


def _double_starred(node: ast.expr | ast.stmt) -> ast.expr | ast.stmt:
    keywords = [item for item in node.keywords if item.arg is None] if isinstance(node, ast.Call) else []
    return keywords[0].value if len(keywords) == 1 else node
