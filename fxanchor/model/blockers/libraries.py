"""Libraries that look at the Python type of their input, and functions that were compiled or run on many machines."""

import ast
import re

from torch import nn

from fxanchor.model.blockers.attempt import Attempt
from fxanchor.model.blockers.definitions import attribute_made, call_inside, module_path
from fxanchor.model.blockers.diagnosis import Context, Diagnosis, Draft, Goal, leaf_change
from fxanchor.model.raised import text_of
from fxanchor.model.report import Trigger


def diagnose_einops(context: Context) -> Diagnosis | None:
    """Conclude from a stop inside einops, which looks at the Python type of its input."""
    inside = context.stop.inside_package("einops")
    if inside is None:
        return None
    layer = next(
        (
            crossing.locals["self"]
            for crossing in reversed(context.stop.crossings)
            if isinstance(crossing.locals.get("self"), nn.Module)
            and type(crossing.locals["self"]).__module__.split(".")[0] == "einops"
        ),
        None,
    )
    node = context.node
    goal = Goal(node, "tensor") if isinstance(node, ast.expr) else None
    if layer is None:
        return Diagnosis(
            "einops",
            "einops chooses what to do by the Python type of its input, and does not know torch.fx.Proxy.",
            None,
            context.wrap_called(),
            goal,
        )
    cls = type(layer)
    change = leaf_change('type(m).__module__.startswith("einops")')
    return Diagnosis(
        "einops",
        f"The einops layer {cls.__name__} looks up the shape of its input, which is a Proxy during symbolic tracing.",
        context.elsewhere(_layer_cause(context, layer)),
        (Draft("Keep einops layers whole: leaf modules", change, Attempt(leaf_classes=_einops_classes(context.root))),),
        goal,
    )


def _einops_classes(root: nn.Module) -> tuple[type[nn.Module], ...]:
    return tuple(dict.fromkeys(type(m) for m in root.modules() if type(m).__module__.split(".")[0] == "einops"))


def _layer_cause(context: Context, layer: nn.Module) -> Trigger | None:
    """The call in __init__ that made a layer: inside the statement that makes the attribute it is found under."""
    path = module_path(context.root, layer)
    if not path:
        return None
    parts = path.split(".")
    for length in range(len(parts), 0, -1):
        owner = context.root.get_submodule(".".join(parts[: length - 1]))
        made = attribute_made(owner, parts[length - 1], context.locator)
        if made is not None:
            call = call_inside(made[0], made[1], type(layer).__name__, context.locator)
            return call or context.locator.node(made[0], made[1])
    return None


def diagnose_scripted(context: Context) -> Diagnosis | None:
    """Conclude from a stop where a function compiled by TorchScript was called."""
    if not re.search(
        r"Expected a value of type '.*' for argument '.*' but instead found type '(?:Proxy|Attribute)'",
        text_of(context.stop.error),
        re.DOTALL,
    ):
        return None
    node = context.node
    return Diagnosis(
        "scripted-function",
        "A function compiled by torch.jit.script checks the types of its arguments in C++ and does not take a Proxy.",
        context.elsewhere(_script_cause(context)),
        (*context.helper_drafts(), *context.leaf_drafts()),
        Goal(node, "tensor") if isinstance(node, ast.expr) else None,
    )


def _script_cause(context: Context) -> Trigger | None:
    """The definition of the function, in the same file."""
    node = context.node
    tree = context.locator.sources.tree(context.stop.filename)
    if tree is None or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return None
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == node.func.id and statement.decorator_list:
            return context.locator.node(context.stop.filename, statement.decorator_list[0])
    return None


def diagnose_distributed(context: Context) -> Diagnosis | None:
    """Conclude from a stop inside torch.distributed."""
    if context.stop.inside("torch/distributed/") is None:
        return None
    node = context.node
    return Diagnosis(
        "distributed",
        "A collective operation of torch.distributed wants real tensors and an initialised group of processes; "
        "it cannot be recorded.",
        None,
        (*context.helper_drafts(), *context.wrap_drafts(), *context.leaf_drafts()),
        Goal(node, "tensor") if isinstance(node, ast.expr) else None,
    )


def diagnose_wrap_misuse(context: Context) -> Diagnosis | None:
    """Conclude from a stop where torch.fx.wrap was called inside a function."""
    if "wrap must be called at the top level of a module" not in context.stop.message:
        return None
    node = context.node
    statement = context.around(ast.stmt)
    text = "" if node is None else context.text(node)
    drafts: tuple[Draft, ...] = ()
    if isinstance(statement, ast.Expr):
        attempt = context.edit_draft("", statement, "pass").attempt
        drafts = (
            Draft("Move the call to the top level of the file", f"{text}  # at the top level, not in forward", attempt),
        )
    return Diagnosis(
        "wrap-misplaced",
        "torch.fx.wrap works on the module whose top level it is called from; called inside a function it refuses.",
        None,
        drafts,
        Goal(statement, "nothing") if isinstance(statement, ast.Expr) else None,
    )
