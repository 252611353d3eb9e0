"""Modules that symbolic tracing cannot call or should not open: unregistered ones, and torch's own that were opened."""

import ast
import re
from pathlib import Path
from typing import Any

import torch
from torch import nn

from fxanchor.model.blockers.attempt import Attempt, Registration, Substitute
from fxanchor.model.blockers.definitions import attribute_cause, class_definitions
from fxanchor.model.blockers.diagnosis import PATH_OF_MODULE, Context, Diagnosis, Draft, Goal, leaf_change
from fxanchor.model.report import Trigger

PARENT = """class Parent(torch.nn.Module):
    def __init__(self, child):
        super().__init__()
        self.child = child

    def forward(self, x):
        return self.child(x)
"""
_NN = str(Path(nn.__file__).parent)


def diagnose_unregistered(context: Context) -> Diagnosis | None:
    """Conclude from a stop where a module was called that is not below the root."""
    asked = context.stop.passed_through(PATH_OF_MODULE)
    module = None if asked is None else asked.locals.get("mod")
    if not isinstance(module, nn.Module) or "not installed as a submodule" not in context.stop.message:
        return None
    name = type(module).__name__
    holder = _holder(context, module)
    node = context.node
    goal = Goal(node, "tensor") if isinstance(node, ast.expr) else None
    if holder is not None:
        owner, attribute, registered = holder
        made = attribute_cause(owner, attribute, context.locator)
        right = type(registered).__name__
        change = f"self.{attribute} = nn.{right}(...)"
        container = type(getattr(owner, attribute, None)).__name__
        registration = Registration(owner, attribute, registered, f"torch.nn.{right}(owner.{attribute})")
        draft = Draft(f"Register the modules: {right}", change, Attempt(registrations=(registration,)))
        return Diagnosis(
            "unregistered-module",
            f"This {name} is kept in a plain {container} (`{attribute}`), so it is not a submodule of the model "
            "and has no name that the graph could call it by.",
            context.elsewhere(made),
            (draft,),
            goal,
        )
    made_here = isinstance(node, ast.Call) and isinstance(node.func, ast.Call)
    drafts = () if made_here else _make_submodule(context, module)
    if made_here and isinstance(node, ast.Call) and context.stop.at is not None:
        drafts = _move_to_init(context, node, module)
    where = "it is created in the very call" if made_here else "it is kept outside the model"
    return Diagnosis(
        "unregistered-module",
        f"This {name} is not a submodule of the model: {where}, so it has no name that the graph could call it by.",
        None if made_here else context.elsewhere(_global_cause(context, module)),
        drafts,
        goal,
    )


def _make_submodule(context: Context, module: nn.Module) -> tuple[Draft, ...]:
    """Keep a module of a global in an attribute of the model as well."""
    at = context.stop.at
    owner = None if at is None else at.locals.get("self")
    names = [] if at is None else [name for name, value in at.frame.f_globals.items() if value is module]
    if not names or not isinstance(owner, nn.Module):
        return ()
    attribute = names[0].lower()
    while hasattr(owner, attribute):
        attribute += "_"
    attempt = Attempt(registrations=(Registration(owner, attribute, module, f'scope["{names[0]}"]'),))
    return (Draft("Keep it in the model too", f"self.{attribute} = {names[0]}  # in __init__", attempt),)


def _move_to_init(context: Context, node: ast.Call, module: nn.Module) -> tuple[Draft, ...]:
    """Create the module in __init__ instead of in forward."""
    owner = context.stop.at.locals.get("self") if context.stop.at else None
    if not isinstance(owner, nn.Module):
        return ()
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", type(module).__name__).lower().replace("re_l_u", "relu")
    while hasattr(owner, name):
        name += "_"
    arguments = ", ".join(context.text(arg) for arg in [*node.args, *node.keywords])
    edit = context.edit_draft("", node, f"self.{name}({arguments})").attempt
    assert edit is not None
    made = context.text(node.func)
    scope = context.stop.at.frame.f_globals if context.stop.at else {}
    known = all(each.id in scope for each in ast.walk(node.func) if isinstance(each, ast.Name))
    code = f"eval({made!r}, scope)" if known else ""
    attempt = edit.plus(Attempt(registrations=(Registration(owner, name, module, code),)))
    change = f"self.{name} = {made}  # in __init__\n\nself.{name}({arguments})  # in forward"
    return (Draft("Create the module in __init__", change, attempt),)


def _holder(context: Context, module: nn.Module) -> tuple[nn.Module, str, nn.Module] | None:
    """The module and its attribute that keep an unregistered module in a plain container, and what it should be."""
    for owner in context.root.modules():
        for name, value in object.__getattribute__(owner, "__dict__").items():
            if name.startswith("_"):
                continue
            if isinstance(value, list | tuple) and any(item is module for item in value):
                if all(isinstance(item, nn.Module) for item in value):
                    return owner, name, nn.ModuleList(value)
            elif (
                isinstance(value, dict)
                and any(item is module for item in value.values())
                and all(isinstance(key, str) and isinstance(item, nn.Module) for key, item in value.items())
            ):
                return owner, name, nn.ModuleDict(value)
    return None


def _global_cause(context: Context, module: nn.Module) -> Trigger | None:
    """The module-level statement that made a module kept in a global."""
    if context.stop.at is None:
        return None
    names = [name for name, value in context.stop.at.frame.f_globals.items() if value is module]
    tree = context.locator.sources.tree(context.stop.filename)
    for statement in tree.body if tree is not None else ():
        if isinstance(statement, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id in names for target in statement.targets
        ):
            return context.locator.node(context.stop.filename, statement)
    return None


def diagnose_opened(context: Context) -> Diagnosis | None:
    """Conclude from a stop inside a module of torch.nn that was opened: a subclass of the user's, or the root."""
    asker = context.raiser()
    if asker is None or not asker.site.code.co_filename.startswith(_NN):
        return None
    module = _forward_self(context, asker.site.code.co_filename)
    if module is None:
        return None
    base = next((cls for cls in type(module).__mro__ if cls.__module__.startswith("torch.nn")), nn.Module)
    if base is nn.Module:
        return None
    cls = type(module)
    if module is not context.root and cls.__module__.startswith("torch.nn"):
        # A container of torch that was indexed, for one: its class is no reason to open it.
        return None
    node = context.node
    if module is context.root:
        draft = Draft(
            "Trace inside a parent module",
            f"{PARENT}\ngraph = torch.fx.symbolic_trace(Parent(model))",
            Attempt(substitute=Substitute(Parent, "Parent(model)", PARENT), leaf_classes=(cls,)),
        )
        return Diagnosis(
            "opened-torch-module",
            f"The model itself is a {base.__name__} of torch.nn. The root is always opened, never kept whole, "
            f"and the code of {base.__name__} asks its input questions that a Proxy cannot answer.",
            None,
            (draft,),
        )
    change = leaf_change(f'type(m).__name__ == "{cls.__name__}"')
    return Diagnosis(
        "opened-torch-module",
        f"{cls.__name__} is a subclass of {base.__name__}. Only modules whose class is defined in torch.nn are kept "
        f"whole, so tracing goes into {base.__name__}'s own code, which asks its input what a Proxy cannot answer.",
        context.elsewhere(_class_cause(context, cls)),
        (Draft(f"Keep {cls.__name__} whole: a leaf module", change, Attempt(leaf_classes=(cls,))),),
        Goal(node, "tensor") if isinstance(node, ast.expr) else None,
    )


class Parent(nn.Module):
    """Holds one module, so that it is not the root of the trace."""

    def __init__(self, child: nn.Module) -> None:
        super().__init__()
        self.child = child

    def forward(self, x: torch.Tensor) -> object:
        """Call the module."""
        return self.child(x)


def _forward_self(context: Context, filename: str) -> nn.Module | None:
    """The module whose code of torch.nn was running, that of the innermost frame that has one."""
    for crossing in reversed(context.stop.crossings):
        module = crossing.locals.get("self")
        if crossing.site.code.co_filename.startswith(_NN) and isinstance(module, nn.Module):
            return module
    return None


def _class_cause(context: Context, cls: type[Any]) -> Trigger | None:
    found = next(iter(class_definitions(cls, context.locator)), None)
    if found is None or found[1].name != cls.__name__:
        return None
    filename, definition = found
    bases = definition.bases
    return context.locator.node(filename, bases[0]) if bases else None
