"""A Proxy where Python itself needs a real object: iteration, len, integers, numbers, formatting, item assignment."""

import ast
import re

from torch import fx

from fxanchor.model.blockers.diagnosis import ITER, Context, Diagnosis, Draft, Goal
from fxanchor.model.blockers.origins import dependence
from fxanchor.model.positions import opcode_at
from fxanchor.model.report import Trigger
from fxanchor.model.rows import parameter_triggers

_SET_ITEM = """def set_item(target, index, value):
    target = target.clone()
    target[index] = value
    return target
"""
_CONVERSION = re.compile(
    r"^(?:int|float|complex)\(\) argument must be|^type (?:Proxy|Attribute) doesn't define __(\w+)__ method"
    r"|^must be real number, not (?:Proxy|Attribute)"
)


def diagnose_iteration(context: Context) -> Diagnosis | None:
    """Conclude from a stop where a Proxy was iterated over."""
    asked = context.stop.passed_through(ITER)
    proxy = None if asked is None else asked.locals.get("obj")
    node = context.node
    if not isinstance(proxy, fx.Proxy) or node is None:
        return None
    source = proxy.node
    if source.op == "call_method" and source.target == "keys" and isinstance(source.args[0], fx.Node):
        # What `**value` asks for first.
        source = source.args[0]
    if source.op == "placeholder" and str(source.target).startswith("*"):
        return _starred_parameter(context, str(source.target), node)
    cause = context.elsewhere(context.trigger_of_node(source))
    if isinstance(node, ast.Compare) and any(isinstance(op, ast.In | ast.NotIn) for op in node.ops):
        return Diagnosis(
            "contains",
            f"`in` looks through a Proxy item by item, and a Proxy has no known items: `{context.text(node)}`.",
            cause,
            (*context.wrap_drafts(), *context.leaf_drafts()),
            Goal(node, "true"),
        )
    drafts = (*_splat_drafts(context, node), *_items_drafts(context, node, source), *context.builtin_drafts())
    return Diagnosis(
        "iteration",
        "A Proxy is iterated over, but how many items it has is not known during symbolic tracing. "
        "Only unpacking to a fixed number of names works, as in `a, b = value`.",
        cause,
        (*drafts, *context.wrap_drafts(), *context.leaf_drafts()),
        _iteration_goal(context, node, source),
    )


def _starred_parameter(context: Context, name: str, node: ast.expr | ast.stmt) -> Diagnosis:
    triggers = parameter_triggers(context.run.forward, context.locator)
    star = "*" if not name.startswith("**") else "**"
    return Diagnosis(
        "star-arguments",
        f"`{name}` of forward becomes one single Proxy, not a {'dictionary' if star == '**' else 'tuple'} of Proxies: "
        "it can be indexed but not passed on with a star.",
        context.elsewhere(triggers.get(name)),
        (Draft(f"Give forward explicit parameters instead of {name}", "def forward(self, x, mask=None):"),),
        Goal(node.value if isinstance(node, ast.Starred) else node, "items" if star == "*" else "empty", 1)
        if isinstance(node, ast.expr)
        else None,
    )


def _splat_drafts(context: Context, node: ast.expr | ast.stmt) -> tuple[Draft, ...]:
    """`x.view(*shape, 2)` is `x.view(shape + (2,))`: the sizes stay one Proxy that is never unpacked."""
    call = context.parent()
    if not isinstance(node, ast.Starred) or not isinstance(call, ast.Call) or call.keywords or call.args[0] is not node:
        return ()
    if not isinstance(call.func, ast.Attribute) or any(isinstance(arg, ast.Starred) for arg in call.args[1:]):
        return ()
    rest = context.texts(call.args[1:]) + ("," if len(call.args) == 2 else "")
    sizes = f"{context.text(node.value)} + ({rest})" if rest else context.text(node.value)
    new = f"{context.text(call.func)}({sizes})"
    return (context.edit_draft("Pass the sizes as one tuple", call, new),)


def _items_drafts(context: Context, node: ast.expr | ast.stmt, source: fx.Node) -> tuple[Draft, ...]:
    """Where the number of items is written in the source, take them by index."""
    count = _count_of(source)
    iterated = _iterated(context, node)
    if count is None or iterated is None:
        return ()
    value = context.text(iterated)
    new = f"[{', '.join(f'{value}[{index}]' for index in range(count))}]"
    if not isinstance(iterated, ast.Name):
        # Not to compute the value once for each item.
        new = f"(lambda parts: [{', '.join(f'parts[{index}]' for index in range(count))}])({value})"
    return (context.edit_draft(f"Take the {count} items by index", iterated, new),)


def _count_of(source: fx.Node) -> int | None:
    """The number of items of a chunk, where it is a number in the source."""
    if getattr(source.target, "__name__", source.target) != "chunk":
        return None
    count = source.args[1] if len(source.args) > 1 else source.kwargs.get("chunks")
    return count if isinstance(count, int) and 0 < count <= 64 else None


def _iterated(context: Context, node: ast.expr | ast.stmt) -> ast.expr | None:
    """What is iterated over: the syntax itself, the starred value, or the first argument of the call that iterates."""
    if isinstance(node, ast.Starred):
        return node.value
    if isinstance(node, ast.Call) and _calls(context):
        return node.args[0] if len(node.args) >= 1 and not isinstance(node.args[0], ast.Starred) else None
    return node if isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), ast.Store) else None


def _calls(context: Context) -> bool:
    """Whether it is a call that failed, as in `list(value)`, rather than iterating over what a call gave."""
    return context.stop.at is not None and "CALL" in opcode_at(context.stop.at.site)


def _iteration_goal(context: Context, node: ast.expr | ast.stmt, source: fx.Node) -> Goal | None:
    iterated = _iterated(context, node)
    if iterated is None:
        return None
    if isinstance(node, ast.Call) and _calls(context) and len(node.args) != 1:
        return Goal(node, "tensor")
    return Goal(iterated, "items", _count_of(source) or 2)


def diagnose_len(context: Context) -> Diagnosis | None:
    """Conclude from a stop where len() was asked of a Proxy."""
    if "'len' is not supported in symbolic tracing" not in context.stop.message or context.stop.at is None:
        return None
    node = context.node
    file = context.locator.places.shown(context.stop.filename)
    drafts = [context.wrap_draft("len", context.stop.at.frame.f_globals, file)]
    argument = node.args[0] if isinstance(node, ast.Call) and len(node.args) == 1 else None
    if argument is not None and isinstance(node, ast.Call):
        new = _without_len(context, argument)
        drafts.insert(0, context.edit_draft(f"Ask the tensor instead: {new}", node, new))
    return Diagnosis(
        "len",
        "len() must return a real integer, and Python does not let a Proxy stand in for it.",
        None,
        (*drafts, *context.leaf_drafts()),
        Goal(node, "integer") if isinstance(node, ast.expr) else None,
    )


def _without_len(context: Context, argument: ast.expr) -> str:
    if isinstance(argument, ast.Attribute) and argument.attr == "shape":
        return f"{context.text(argument.value)}.dim()"
    if isinstance(argument, ast.Call) and isinstance(argument.func, ast.Attribute) and argument.func.attr == "size":
        return f"{context.text(argument.func.value)}.dim()"
    return f"{context.text(argument)}.shape[0]"


def diagnose_integer(context: Context) -> Diagnosis | None:
    """Conclude from a stop where Python needed an integer: range, an index of a list, a repetition."""
    message = context.stop.message
    needed = re.search(r"'(?:Proxy|Attribute)' object cannot be interpreted as an integer", message)
    index = re.search(r"indices must be integers or slices, not (?:Proxy|Attribute)", message)
    if not needed and not index:
        return None
    node = context.node
    return Diagnosis(
        "integer",
        "Python needs a real integer here, to count a loop or to pick from a list; a size or a value of a tensor "
        "is a Proxy during symbolic tracing, and the number of turns would be fixed in the graph.",
        _size_cause(context),
        (*_literal_range_hint(node), *context.wrap_drafts(), *context.leaf_drafts()),
        _integer_goal(node),
    )


def _integer_goal(node: ast.expr | ast.stmt | None) -> Goal | None:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range" and node.args:
        # The last limit is what a size usually gives; a step of its own is rare.
        return Goal(node.args[min(1, len(node.args) - 1)], "number", 1)
    if isinstance(node, ast.Subscript):
        return Goal(node.slice, "number", 0)
    return Goal(node, "tensor") if isinstance(node, ast.expr) else None


def _literal_range_hint(node: ast.expr | ast.stmt | None) -> tuple[Draft, ...]:
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "range":
        return (Draft("Fix the number of turns in __init__", "for i in range(self.steps):"),)
    return ()


def _size_cause(context: Context) -> Trigger | None:
    """Where the number came from: the last size that was read before the stop, when it is one of its operands."""
    node = context.node
    at = context.stop.at
    if node is None or at is None:
        return None
    names = [name.id for name in ast.walk(node) if isinstance(name, ast.Name)]
    for name in names:
        value = at.locals.get(name)
        if isinstance(value, fx.Proxy) and type(value) is fx.Proxy:
            depends = dependence(value.node, context.root)
            if depends.origin != "value":
                return context.elsewhere(context.trigger_of_node(depends.node))
    return None


def diagnose_number(context: Context) -> Diagnosis | None:
    """Conclude from a stop where int(), float() or round() was asked of a Proxy."""
    text = context.stop.message.partition(": ")[2]
    if context.stop.message.split(":")[0] != "TypeError" or not _CONVERSION.match(text):
        return None
    node, at = context.node, context.stop.at
    drafts: tuple[Draft, ...] = ()
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and at is not None:
        name = node.func.id
        drafts += _floor_division(context, node)
        drafts += (context.wrap_draft(name, at.frame.f_globals, context.locator.places.shown(context.stop.filename)),)
    return Diagnosis(
        "number",
        "A conversion to a Python number must give a real number, so it cannot stay symbolic.",
        _size_cause(context),
        (*drafts, *context.wrap_drafts(), *context.leaf_drafts()),
        Goal(node, "integer", 1) if isinstance(node, ast.expr) else None,
    )


def _floor_division(context: Context, node: ast.Call) -> tuple[Draft, ...]:
    """`int(a / b)` is `a // b` for sizes."""
    argument = node.args[0] if len(node.args) == 1 else None
    if isinstance(argument, ast.BinOp) and isinstance(argument.op, ast.Div) and context.text(node.func) == "int":
        new = ast.unparse(ast.BinOp(argument.left, ast.FloorDiv(), argument.right))
        return (context.edit_draft("Divide to an integer: //", node, new),)
    return ()


def diagnose_format(context: Context) -> Diagnosis | None:
    """Conclude from a stop where a Proxy was formatted."""
    if not re.search(r"unsupported format string passed to (?:Proxy|Attribute)\.__format__", context.stop.message):
        return None
    statement = context.around(ast.stmt)
    drafts: tuple[Draft, ...] = ()
    if isinstance(statement, ast.Expr):
        removed = context.edit_draft("Leave the message out", statement, "pass")
        drafts = (Draft(removed.title, f"# {context.text(statement)}", removed.attempt),)
    node = context.node
    return Diagnosis(
        "format",
        "Text is made from a size or a value with a format such as `:d`, and a Proxy has no number to format.",
        None,
        (*drafts, *context.leaf_drafts()),
        Goal(statement, "nothing") if isinstance(statement, ast.Expr) else _tensor_goal(node),
    )


def _tensor_goal(node: ast.expr | ast.stmt | None) -> Goal | None:
    return Goal(node, "tensor") if isinstance(node, ast.expr) else None


def diagnose_item_assignment(context: Context) -> Diagnosis | None:
    """Conclude from a stop where an item of a Proxy was assigned."""
    if not re.search(
        r"'(?:Proxy|Attribute)' object does not support item (?:assignment|deletion)", context.stop.message
    ):
        return None
    statement = context.around(ast.Assign, ast.AugAssign, ast.Delete)
    target = context.node
    drafts: tuple[Draft, ...] = ()
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(target, ast.Subscript):
        value = context.text(target.value)
        new = f"{value} = set_item({value}, {_index(context, target.slice)}, {context.text(statement.value)})"
        drafts = (context.edit_draft("Write into a copy, in a wrapped function", statement, new, before=_SET_ITEM),)
    elif isinstance(statement, ast.AugAssign) and isinstance(target, ast.Subscript):
        value = context.text(target.value)
        item = ast.unparse(ast.BinOp(ast.Name("_"), statement.op, ast.Name("_"))).replace("_ ", "", 1)
        item = f"{context.text(target)} {item.removesuffix(' _')} ({context.text(statement.value)})"
        new = f"{value} = set_item({value}, {_index(context, target.slice)}, {item})"
        drafts = (context.edit_draft("Write into a copy, in a wrapped function", statement, new, before=_SET_ITEM),)
    return Diagnosis(
        "item-assignment",
        "symbolic_trace records operations that return something; writing into a part of a tensor returns nothing, "
        "and a Proxy does not take it.",
        None,
        (*drafts, *context.leaf_drafts()),
        Goal(statement, "nothing") if isinstance(statement, ast.stmt) else None,
    )


def _index(context: Context, node: ast.expr) -> str:
    """An index as a value: `:, 0` is `(slice(None), 0)`."""
    if isinstance(node, ast.Tuple):
        return f"({', '.join(_index(context, item) for item in node.elts)},)"
    if isinstance(node, ast.Slice):
        parts = [node.lower, node.upper, node.step]
        return f"slice({', '.join('None' if part is None else context.text(part) for part in parts)})"
    return context.text(node)
