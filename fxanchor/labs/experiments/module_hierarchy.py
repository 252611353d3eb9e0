"""Targets and the module hierarchy: what target is for every opcode."""

from collections.abc import Iterator
from typing import Any

from torch import fx, nn

LAB = {
    "statement": "target is a string for every opcode but call_function, where it is the function itself; for "
    "call_module and get_attr it is the path from the root.",
    "said_by": "paper 4.2, A.1",
    "verdict": "holds",
    "seen_on": ("2.13.0", "2.14.1"),
    "meaning": "A graph holds no modules and no weights, only paths to them; GraphModule holds both together. The "
    "same weight can be reached inside a leaf (call_module) or be read by itself (get_attr). GraphModule copies only "
    "what the graph names, so modules that were opened and are not named are gone, and their path stays.",
    "break_at": ("torch.fx.node.Node.__init__", "torch.fx.graph_module._copy_attr"),
}


def experiment(model: nn.Module, _inputs: tuple[Any, ...]) -> Iterator[tuple[str, object, bool | None]]:
    """Look at every target of the traced model, and at what the GraphModule kept of the hierarchy."""
    gm = fx.symbolic_trace(model)
    by_op: dict[str, list[fx.Node]] = {}
    for node in gm.graph.nodes:
        by_op.setdefault(node.op, []).append(node)
    for op in ("placeholder", "get_attr", "call_function", "call_method", "call_module", "output"):
        nodes = by_op.get(op, [])
        if not nodes:
            yield op, "none in this model", None
            continue
        right = all(callable(node.target) if op == "call_function" else type(node.target) is str for node in nodes)
        first = str(nodes[0].format_node()).partition("[target=")[2].partition("]")[0] or str(nodes[0].target)
        kind = "the function" if callable(nodes[0].target) else "a string"
        yield op, f"{len(nodes)} nodes, target is {kind}, the first {first}", right
    modules = dict(gm.named_modules())
    called = {str(node.target) for node in by_op.get("call_module", [])}
    yield "every call_module target is a module of the GraphModule", called <= set(modules), called <= set(modules)
    tensors = {name for name, _ in [*gm.named_parameters(), *gm.named_buffers()]}
    read = {str(node.target) for node in by_op.get("get_attr", [])}
    yield "every get_attr target is a parameter or buffer of it", read <= tensors, read <= tensors
    parameters = dict(model.named_parameters())
    shared = all(parameters.get(name) is value for name, value in gm.named_parameters())
    yield "its parameters are the model's own objects, not copies", shared, None
    lost = sorted(set(dict(model.named_modules())) - set(modules))
    yield "modules of the model that it does not have", lost, None
    kinds = {path: type(module).__name__ for path, module in model.named_modules() if path and path in modules}
    changed = {p: f"{k} -> {type(modules[p]).__name__}" for p, k in kinds.items() if type(modules[p]).__name__ != k}
    yield "modules that are only a shell of the path now", changed or "none", None
