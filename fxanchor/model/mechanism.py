"""Which mechanism of symbolic tracing recorded a node, told by the function that asked for it."""

from types import CodeType
from typing import Any

import torch
from torch import fx, nn
from torch.fx import proxy

from fxanchor.model.report import Mechanism

_BY_CALLER: dict[str, Mechanism] = {
    "Proxy.__torch_function__": "__torch_function__",
    "Attribute.__call__": "method on a proxy",
    "Attribute.node": "attribute of a proxy",
    "Proxy.__call__": "method on a proxy",
    "TracerBase.keys": "method on a proxy",
    "_create_wrapped_func.<locals>.wrapped": "wrapped function",
    "_create_wrapped_method.<locals>.wrapped": "wrapped function",
}
# The codes behind `a + b`, `1 + a` and abs(a).
_OPERATORS = frozenset(
    id(getattr(proxy.Proxy, name).__code__) for name in ("__add__", "__radd__", "__abs__", "__getitem__", "__neg__")
)


def mechanism_of(node: fx.Node, caller: CodeType | None, root: nn.Module) -> Mechanism:
    """The mechanism that recorded a node.

    Args:
        node: The node.
        caller: The code of the function that asked the tracer for it.
        root: The module that was traced, to tell a parameter from a buffer.
    """
    fixed: dict[str, Mechanism] = {
        "placeholder": "argument",
        "output": "return value",
        "call_module": "leaf module called",
    }
    if node.op in fixed:
        return fixed[node.op]
    if node.op == "get_attr":
        return _attribute(_fetch(root, str(node.target)))
    if caller is not None:
        if id(caller) in _OPERATORS:
            return "operator on a proxy"
        known = _BY_CALLER.get(caller.co_qualname)
        if known is not None:
            return known
    return "recorded call"


def _attribute(value: object) -> Mechanism:
    if isinstance(value, nn.Parameter):
        return "parameter read"
    return "constant" if value is None else "buffer read"


def _fetch(root: nn.Module, target: str) -> object:
    """The parameter or buffer of that name; None for anything else, which the tracer keeps as a constant."""
    path, _, name = target.rpartition(".")
    owner: Any = root
    for part in path.split(".") if path else ():
        owner = getattr(owner, part, None)
    if not isinstance(owner, nn.Module):
        return None
    found = owner._parameters.get(name, owner._buffers.get(name))
    return found if isinstance(found, torch.Tensor) else None
