"""Conditions whose outcome is known before the code runs: the type checker's, the Python version's, the platform's."""

import ast
import operator
import os
import sys

from fxanchor.source.text import dotted_name

_COMPARISONS = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_TEXTS = {"sys.platform": sys.platform, "os.name": os.name, "sys.implementation.name": sys.implementation.name}


def known_outcome(test: ast.expr) -> bool | None:
    """Return whether a condition is true for code that runs in this Python on this machine, or None when not known.

    Args:
        test: The condition of an `if`.
    """
    match test:
        case ast.Constant(value=bool(value)):
            return value
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            outcome = known_outcome(operand)
            return None if outcome is None else not outcome
        case ast.BoolOp(op=op, values=values):
            outcomes = [known_outcome(value) for value in values]
            decisive = isinstance(op, ast.Or)
            if decisive in outcomes:
                return decisive
            return None if None in outcomes else not decisive
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _compared(dotted_name(left), op, right)
        case ast.Call(func=ast.Attribute(value=value, attr="startswith"), args=[ast.Constant(value=str(prefix))]):
            text = _TEXTS.get(dotted_name(value))
            return None if text is None else text.startswith(prefix)
        case ast.Name() | ast.Attribute() if dotted_name(test).rpartition(".")[2] == "TYPE_CHECKING":
            return False
    return None


def _compared(name: str, op: ast.cmpop, right: ast.expr) -> bool | None:
    compare = _COMPARISONS.get(type(op))
    if compare is None:
        return None
    match right:
        case ast.Constant(value=str(text)) if name in _TEXTS:
            return bool(compare(_TEXTS[name], text))
        case ast.Tuple(elts=elements) if name == "sys.version_info":
            numbers = [
                each.value for each in elements if isinstance(each, ast.Constant) and isinstance(each.value, int)
            ]
            return bool(compare(sys.version_info, tuple(numbers))) if len(numbers) == len(elements) else None
    return None
