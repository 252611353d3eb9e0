"""Stops that no other family knows: errors of the user's own code, and the rest."""

import ast
from types import BuiltinFunctionType, FunctionType, ModuleType

import torch
from torch import fx, nn

from fxanchor.model.blockers.diagnosis import Context, Diagnosis, Goal
from fxanchor.model.blockers.raiser import is_raise, value_of
from fxanchor.model.places import Owner

# What an expression computes on the way has a value that no frame keeps.
_COMPUTED = (ast.Call, ast.Subscript, ast.BinOp, ast.Lambda, ast.comprehension, ast.Await, ast.NamedExpr)
_PLAIN: frozenset[type] = frozenset(
    {
        *(bool, int, float, complex, str, bytes, type(None)),
        *(torch.Tensor, nn.Parameter, torch.dtype, torch.device),
        *(type, FunctionType, BuiltinFunctionType, ModuleType),
    }
)


def diagnose(context: Context) -> Diagnosis:
    """Conclude from a stop that has no kind of its own."""
    stop = context.stop
    node = stop.node
    goal = Goal(node, "tensor") if isinstance(node, ast.expr) else None
    drafts = (*context.wrap_drafts(), *context.leaf_drafts())
    last = stop.last
    own = last is not None and context.locator.places.owner_of(last.site.code) is not Owner.MACHINERY
    if last is not None and own and is_raise(last.site):
        explanation = (
            "The code raises this itself. Every input is a Proxy during symbolic tracing, so what the code checks "
            "before can be otherwise than it is with tensors."
        )
        return Diagnosis("own-error", explanation, None, drafts, goal)
    if isinstance(stop.error, RecursionError):
        return Diagnosis("recursion", "The calls nest deeper than Python allows.", None, drafts, goal)
    who = stop.raised_at.symbol
    reads = reads_proxy(context)
    if reads is None:
        told = f"{who} raises this during symbolic tracing."
    elif reads:
        told = f"{who} does not take what it is given during symbolic tracing."
    else:
        told = "This fails by itself: nothing that is read here is a Proxy."
        # Then what it would have given need not be a tensor.
        goal = goal if context.is_unused() else None
    return Diagnosis("other", told, None, drafts, goal)


def reads_proxy(context: Context) -> bool | None:
    """Whether a Proxy is among what the expression to look at reads; None when not all its values are known."""
    stop = context.stop
    if "Proxy" in stop.message:
        return True
    if stop.at is None or not isinstance(stop.node, ast.expr):
        return None
    nodes = list(ast.walk(stop.node))
    owners = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    known = True
    for node in nodes:
        if isinstance(node, ast.Name | ast.Attribute):
            found = _is_proxy(value_of(node, stop.at.frame))
            if found:
                return True
            # The failing expression itself has no value, and of an owner only an attribute is read.
            known = known and (found is False or id(node) in owners or node is stop.node)
        elif isinstance(node, _COMPUTED):
            known = known and node is stop.node
    return False if known else None


def _is_proxy(value: object, depth: int = 3) -> bool | None:
    """Whether a value is a Proxy or a container of one; None for an object that may hold anything."""
    if isinstance(value, fx.Proxy):
        return True
    if type(value) in _PLAIN:
        return False
    if not depth or not isinstance(value, list | tuple | set | frozenset | dict):
        return None
    items = [*value.keys(), *value.values()] if isinstance(value, dict) else list(value)
    told = [_is_proxy(item, depth - 1) for item in items]
    return True if True in told else None if None in told else False
