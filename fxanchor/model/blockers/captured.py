"""A part that the model captures itself: a class in the place of a module, or a call that its capture rules out."""

import ast
import re

from fxanchor.model.blockers.diagnosis import Context, Diagnosis, Draft, Goal

_NO_FUNCTION = "Expected FunctionType, got"
_SPECIALISED = re.compile(r"(\w+) has been specialized to have value (.+) but got another value")


def diagnose_class(context: Context) -> Diagnosis | None:
    """Conclude from a stop where a class was given to be captured."""
    if _NO_FUNCTION not in context.stop.message:
        return None
    roots = [crossing.locals.get("root") for crossing in context.stop.crossings]
    given = next((root for root in reversed(roots) if isinstance(root, type)), None)
    if given is None:
        return None
    node = context.node
    drafts: tuple[Draft, ...] = ()
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Name | ast.Attribute):
        name = context.text(node.args[0])
        arguments = [f"{name}()", *map(context.text, node.args[1:]), *(context.text(each) for each in node.keywords)]
        new = f"{context.text(node.func)}({', '.join(arguments)})"
        drafts = (context.edit_draft(f"Make a module of it: {name}()", node, new),)
    return Diagnosis(
        "class-captured",
        f"{given.__name__} is a class. What is captured is a module, which is made by calling the class.",
        None,
        drafts,
        Goal(node, "tensor") if isinstance(node, ast.expr) else None,
    )


def diagnose_specialised(context: Context) -> Diagnosis | None:
    """Conclude from a stop where a captured module was called with another value than it was captured with."""
    found = _SPECIALISED.search(context.stop.message)
    if found is None:
        return None
    name, value = found[1], found[2]
    node = context.node
    change = (
        f'concrete_args={{"{name}": ...}}  # where it is captured, with the value that is passed here\n'
        f"# Not tried: a graph holds for one value of {name}, and which one it should be is yours to say."
    )
    return Diagnosis(
        "specialised-argument",
        f"The module that is called here was captured with {name}={value} as a constant (concrete_args). "
        f"Its graph checks on every call that {name} is that, and it is not.",
        None,
        (Draft(f"Capture it again for this value: concrete_args of {name}", change),),
        Goal(node, "tensor") if isinstance(node, ast.expr) else None,
    )
