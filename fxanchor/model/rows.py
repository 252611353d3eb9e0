"""From recorded nodes to the rows of a capture."""

import ast
import operator
import re
from types import CodeType, FunctionType

from torch import fx, nn
from torch.fx.node import _get_qualified_name
from torch.nn.parameter import is_lazy

from fxanchor.model.made import nearest
from fxanchor.model.mechanism import mechanism_of
from fxanchor.model.places import Owner
from fxanchor.model.positions import Locator, Site, opcode_at
from fxanchor.model.provenance import choose, stack_of, trigger_of
from fxanchor.model.report import ModuleRow, NodeRow, Trigger
from fxanchor.model.sources import FunctionNode
from fxanchor.model.symbolic import ModuleCall, Record, SymbolicRun


def rows_of(
    run: SymbolicRun, root: nn.Module, locator: Locator, made: dict[str, Trigger] | None = None
) -> tuple[NodeRow, ...]:
    """The rows of the nodes that a symbolic trace made, in order.

    Args:
        run: The trace.
        root: The module that was traced.
        locator: Finds positions.
        made: Where the submodules are made, for calls that no line outside torch makes.
    """
    parameters = parameter_triggers(run.forward, locator)
    rows: list[NodeRow] = []
    returned = return_trigger(run.forward, run.returned, locator)
    # What is made behind the last line of the user's is made of what forward returned.
    last = max((number for number, record in enumerate(run.records) if record.sites), default=len(run.records))
    for number, record in enumerate(run.records):
        node = record.node
        trigger = unpacked(record, locator) or trigger_of(record.sites, locator)
        if node.op == "placeholder":
            trigger = _parameter(str(node.target), parameters)
        elif node.op == "output" or (not record.sites and number > last):
            trigger = returned
        elif not record.sites and node.op == "call_module":
            trigger = nearest(str(node.target), made or {})
        elif not record.sites and rows:
            # A check that a concrete argument adds behind its placeholder.
            trigger = rows[-1].trigger
        rows.append(
            NodeRow(
                name=node.name,
                op=node.op,
                target=target_in_words(node),
                mechanism=mechanism_of(node, record.caller, root),
                trigger=trigger,
                module_path=record.module_path,
                stack=stack_of(record.sites, locator) or ((trigger,) if trigger else ()),
                inputs=tuple(read.name for read in node.all_input_nodes),
            )
        )
    return tuple(rows)


def module_rows(run: SymbolicRun, root: nn.Module, locator: Locator) -> tuple[ModuleRow, ...]:
    """The modules that a symbolic trace called, the root first, in the order of their first call."""
    calls: dict[str, list[ModuleCall]] = {}
    for call in run.calls:
        calls.setdefault(call.path, []).append(call)
    rows = [ModuleRow("", type(root).__name__, True, 1, _parameters(root))]
    for path, made in calls.items():
        first = made[0]
        where = trigger_of(first.sites, locator)
        name = type(first.module).__name__
        rows.append(ModuleRow(path, name, not first.leaf, len(made), _parameters(first.module), where))
    return tuple(rows)


def lost_methods(root: nn.Module) -> list[str]:
    """A sentence on the methods of a model's own class that its GraphModule has not."""
    if type(root).__module__.startswith("torch."):
        return []
    methods = [
        name
        for name, value in vars(type(root)).items()
        if isinstance(value, FunctionType) and not name.startswith("_") and name != "forward"
    ]
    if not methods:
        return []
    return [f"The GraphModule has only forward; it has lost {', '.join(methods[:5])} of {type(root).__name__}."]


def _parameters(module: nn.Module) -> int:
    return sum(parameter.numel() for parameter in module.parameters() if not is_lazy(parameter))


def unpacked(record: Record, locator: Locator) -> Trigger | None:
    """For an item that `a, b = value` takes, the name it is given to; None for every other node."""
    index = record.node.args[1] if record.node.target is operator.getitem and len(record.node.args) == 2 else None
    if not record.sites or not isinstance(index, int):
        return None
    site = record.sites[0]
    if site != choose(record.sites, locator.places) or opcode_at(site) != "UNPACK_SEQUENCE":
        return None
    for node in locator.syntax(site):
        if isinstance(node, ast.Tuple | ast.List) and 0 <= index < len(node.elts):
            return locator.node(site.code.co_filename, node.elts[index])
    return None


def target_in_words(node: fx.Node) -> str:
    """The target of a node: the qualified name of a function, else the name it is called by."""
    if node.op != "call_function" or isinstance(node.target, str):
        return str(node.target)
    try:
        name = _get_qualified_name(node.target)
    except Exception:
        # Callables without a name, or with one that lies, are the user's to define.
        return type(node.target).__name__
    return re.sub(r"^_operator\.", "operator.", name).removeprefix("builtins.")


def parameter_triggers(forward: CodeType | None, locator: Locator) -> dict[str, Trigger]:
    """The parameters of forward by name, as `*args` and `**kwargs` where they are starred."""
    definition = _definition(forward, locator)
    if definition is None or forward is None:
        return {}
    arguments = definition.args
    named = {arg.arg: arg for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    if arguments.vararg:
        named["*" + arguments.vararg.arg] = arguments.vararg
    if arguments.kwarg:
        named["**" + arguments.kwarg.arg] = arguments.kwarg
    return {name: locator.node(forward.co_filename, arg) for name, arg in named.items()}


def _definition(forward: CodeType | None, locator: Locator) -> FunctionNode | None:
    """The definition of forward, unless it is one of torch's own, as that of nn.Sequential is."""
    if forward is None or locator.places.owner_of(forward) is Owner.MACHINERY:
        return None
    return locator.sources.function(forward)


def _parameter(target: str, parameters: dict[str, Trigger]) -> Trigger | None:
    # A concrete argument `flag` makes placeholders `flag_1`, `flag_2`, ...
    return parameters.get(target) or parameters.get(re.sub(r"_\d+$", "", target))


def return_trigger(forward: CodeType | None, returned: Site | None, locator: Locator) -> Trigger | None:
    """The return statement that was taken, or None when that is not certain."""
    definition = _definition(forward, locator)
    if definition is None or forward is None:
        return None
    if isinstance(definition, ast.Lambda):
        return locator.node(forward.co_filename, definition.body)
    returns = returns_of(definition)
    span = None if returned is None else locator.span(returned)
    for statement in returns:
        place = locator.node_span(forward.co_filename, statement)
        if span is None and len(returns) == 1:
            return locator.at(forward.co_filename, place)
        if span is not None and (place.line, place.col) <= (span.line, span.col) < (place.end_line, place.end_col):
            return locator.at(forward.co_filename, place)
    return None


def returns_of(definition: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.Return]:
    """The return statements of a function, without those of the functions inside it."""
    found: list[ast.Return] = []
    pending: list[ast.AST] = list(definition.body)
    while pending:
        node = pending.pop(0)
        if isinstance(node, ast.Return):
            found.append(node)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            pending = [*ast.iter_child_nodes(node), *pending]
    return found
