"""Write a branch on data as a choice between two values that are both computed: `torch.where`."""

import ast
from collections.abc import Callable

# Gives the source of a syntax node.
Text = Callable[[ast.AST], str]


def choice(test: ast.expr, if_true: str, if_false: str, text: Text) -> str:
    """Return the expression that chooses between two values.

    Args:
        test: The condition.
        if_true: The value where it holds, as source.
        if_false: The other value.
        text: Gives the source of a syntax node.
    """
    condition = text(test)
    if not isinstance(test, ast.Compare):
        # torch.where takes nothing but truth values for a condition, where `if` takes numbers too.
        condition = f"({condition}).bool()"
    return f"torch.where({condition}, {if_true}, {if_false})"


def as_choice(branch: ast.If, behind: ast.stmt | None, text: Text) -> str | None:
    """Return an `if` statement as one that chooses, None when its branches are more than two values.

    Args:
        branch: The statement. It chooses between values when both branches return one or set the same name to one, or
            when there is no other branch and the name keeps the value it has.
        behind: The statement behind it in the same block, or None; where one branch returns, it can be the other.
        text: Gives the source of a syntax node.
    """
    if not is_one_condition(branch.test) or len(branch.body) != 1 or len(branch.orelse) > 1:
        return None
    other = branch.orelse[0] if branch.orelse else None
    if other is None and isinstance(behind, ast.Return):
        other = behind if isinstance(branch.body[0], ast.Return) else None
    match branch.body[0], other:
        case ast.Return(value=ast.expr() as if_true), ast.Return(value=ast.expr() as if_false):
            return f"return {choice(branch.test, text(if_true), text(if_false), text)}"
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=if_true),
            ast.Assign(targets=[ast.Name(id=same)], value=if_false),
        ) if name == same:
            return f"{name} = {choice(branch.test, text(if_true), text(if_false), text)}"
        case ast.Assign(targets=[ast.Name(id=name)], value=if_true), None:
            return f"{name} = {choice(branch.test, text(if_true), name, text)}"
    return None


def is_one_condition(test: ast.expr) -> bool:
    """Tell whether a condition is a single one that tensors can answer element by element."""
    if isinstance(test, ast.Compare):
        comparable = ast.Eq | ast.NotEq | ast.Lt | ast.LtE | ast.Gt | ast.GtE
        return len(test.ops) == 1 and isinstance(test.ops[0], comparable)
    return not isinstance(test, ast.BoolOp | ast.UnaryOp | ast.IfExp | ast.NamedExpr)
