"""Is the intermediate representation still Python only?"""

import types
from collections.abc import Iterator
from typing import Any

from torch import fx

LAB = {
    "statement": "The intermediate representation is entirely represented and implemented in Python.",
    "said_by": "paper 5.4",
    "verdict": "changed since",
    "changed": "it still held on torch 2.4.1; now the fields of Node, the links between nodes, their uses and the walk "
    "over them are C++ (torch._C._NodeBase, torch._C._NodeIter), and the Python class adds the rest",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "You can still read and override Graph, Tracer, Interpreter and code generation in Python. But no "
    "Python breakpoint sees a node being linked, its args being stored or its users being updated: stop in the last "
    "Python line before it.",
    "break_at": ("torch.fx.node.Node.__init__", "torch.fx.node.Node.prepend"),
}


def implemented_in(owner: type, name: str) -> str:
    """Tell whether an attribute of a class is Python's own."""
    value = getattr(owner, name, None)
    if value is None:
        return "Python"  # the class does not know it: Python keeps it in the instance
    value = value.fget if isinstance(value, property) else value
    return "Python" if isinstance(value, types.FunctionType) else f"C++ ({type(value).__name__})"


def experiment() -> Iterator[tuple[str, object, bool | None]]:
    """Look where the parts of a node, a graph and a trace are implemented."""
    bases = [base.__module__ + "." + base.__qualname__ for base in fx.Node.__mro__[1:-1]]
    yield "base classes of Node", bases, not any(base.startswith("torch._C") for base in bases)
    parts: tuple[tuple[Any, str], ...] = (
        (fx.Node, "name"),
        (fx.Node, "op"),
        (fx.Node, "users"),
        (fx.Node, "args"),
        (fx.Node, "prepend"),
        (fx.Node, "replace_all_uses_with"),
        (fx.Graph, "create_node"),
        (fx.Graph, "python_code"),
        (fx.Tracer, "trace"),
        (fx.Interpreter, "run_node"),
    )
    for owner, name in parts:
        seen = implemented_in(owner, name)
        yield f"{owner.__name__}.{name}", seen, seen == "Python"
    walk = type(iter(fx.Graph().nodes))
    yield (
        "iterator over graph.nodes",
        f"{walk.__module__}.{walk.__qualname__}",
        not walk.__module__.startswith("torch._C"),
    )
