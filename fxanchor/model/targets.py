"""What a model is made from: an instance, a class or function to call, or an expression to evaluate."""

import ast
from dataclasses import dataclass
from types import ModuleType
from typing import Literal

from fxanchor.errors import InputError, UsageError
from fxanchor.model.modules import is_class, is_module, is_module_class
from fxanchor.model.plain import one_line
from fxanchor.model.scopes import option_defaults, scopes_of
from fxanchor.model.spec import suggest
from fxanchor.model.standins import missing_base
from fxanchor.model.syntax import parse_source

Kind = Literal["instance", "class", "function", "expression"]
_MOST_LISTED = 12


@dataclass(frozen=True, slots=True)
class Target:
    """What the model is made from.

    Attributes:
        text: Name or expression.
        kind: `instance` for a module that is there, `class` and `function` for what must be called, `expression`
            for what must be evaluated.
        value: The object; None for an expression.
        code: The expression to evaluate where it is not `text`.
        line: 1-based line that the code was found at; 0 when it was given.
    """

    text: str
    kind: Kind
    value: object
    code: str = ""
    line: int = 0


def named_target(expression: str, module: ModuleType, shown: str) -> Target:
    """Return the target that was named.

    Args:
        expression: A name, a dotted name, or any other expression.
        module: The module it stands in.
        shown: How to name the module's file in errors.

    Raises:
        UsageError: When there is no such name, or it is no model and makes none.
    """
    tree = parse_source(expression, mode="eval").body
    if not isinstance(tree, ast.Name | ast.Attribute):
        return Target(expression, "expression", None)
    value: object = module
    for part in ast.unparse(tree).split("."):
        try:
            value = getattr(value, part)
        except Exception:
            known = [name for name, each in vars(module).items() if _is_model_like(each)]
            near = suggest(part, known) or (f"; it has {listed(known)}" if known else "")
            raise UsageError(f"There is no {one_line(expression)} in {shown}{near}; give {shown}:NAME.") from None
    return as_target(expression, value, shown)


def as_target(text: str, value: object, shown: str) -> Target:
    """Return a target for an object.

    Args:
        text: How it is called.
        value: The object.
        shown: How to name the file in errors.

    Raises:
        UsageError: When it is no model and makes none.
    """
    if is_module(value):
        return Target(text, "instance", value)
    if is_module_class(value):
        return Target(text, "class", value)
    if not is_class(value) and callable(value):
        return Target(text, "function", value)
    if missing := missing_base(value):
        reason = f"{missing.used}, and {missing.package} cannot be imported; {missing.advice}"
        raise InputError(f"{text} derives from {reason}.")
    what = "a class that is no nn.Module" if is_class(value) else f"a {type(value).__name__}"
    raise UsageError(f"{one_line(text)} in {shown} is {what}; name an nn.Module or a function that returns one.")


def binding_target(name: str, tree: ast.Module, module: ModuleType) -> Target | None:
    """Return the target for a name that the module binds at its top level but that was not executed, or None.

    Args:
        name: The name.
        tree: The parsed file.
        module: The module it became.
    """
    scope = next(scope for scope in scopes_of(tree, vars(module)) if not scope.name)
    value = scope.bindings.get(name)
    read = scope.read(value, option_defaults(tree), ()) if value is not None else None
    if value is None or read is None:
        return None
    return Target(name, "expression", None, ast.unparse(read), value.lineno)


def listed(names: list[str]) -> str:
    """Return names with commas between; when there are many, the first ones and how many more.

    Args:
        names: Any names.
    """
    more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    return ", ".join(names[:_MOST_LISTED]) + more


def _is_model_like(value: object) -> bool:
    return is_module(value) or (is_module_class(value) and not str(value.__module__).startswith("torch."))
