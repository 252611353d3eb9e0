"""Find what in a module is the model: what was named, or the one thing that is certain to be it."""

import ast
import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Literal

import torch

from fxanchor.errors import InputError, UsageError
from fxanchor.model.modules import is_class, is_module, is_module_class
from fxanchor.model.plain import one_line
from fxanchor.model.scopes import scopes_of
from fxanchor.model.spec import suggest
from fxanchor.model.standins import MissingPackageError, missing_base

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
    """

    text: str
    kind: Kind
    value: object


def named_target(expression: str, module: ModuleType, shown: str) -> Target:
    """Return the target that was named.

    Args:
        expression: A name, a dotted name, or any other expression.
        module: The module it stands in.
        shown: How to name the module's file in errors.

    Raises:
        UsageError: When there is no such name, or it is no model and makes none.
    """
    tree = ast.parse(expression, mode="eval").body
    if not isinstance(tree, ast.Name | ast.Attribute):
        return Target(expression, "expression", None)
    value: object = module
    for part in ast.unparse(tree).split("."):
        try:
            value = getattr(value, part)
        except Exception:
            known = [name for name, each in vars(module).items() if _is_model_like(each)]
            near = suggest(part, known) or (f"; it has {_listed(known)}" if known else "")
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
        error = MissingPackageError(missing)
        raise InputError(f"{text} derives from {missing}, and {error.package} cannot be imported; {error.advice}.")
    what = "a class that is no nn.Module" if is_class(value) else f"a {type(value).__name__}"
    raise UsageError(f"{one_line(text)} in {shown} is {what}; name an nn.Module or a function that returns one.")


def find_targets(tree: ast.Module, module: ModuleType, shown: str) -> list[Target]:
    """Return what may be the model of a file, the best first; the later ones are for when it cannot be built.

    Args:
        tree: The parsed file.
        module: The module it became.
        shown: How to name the file in errors.

    Raises:
        UsageError: When there are several and none is certain.
        InputError: When there is none.
    """
    space = vars(module)
    bound = [name for name in _module_names(tree) if name in space]
    instances = _outer_instances({name: space[name] for name in bound if is_module(space[name])})
    if len(instances) == 1:
        return [Target(name, "instance", space[name]) for name in instances]
    if instances:
        raise _several(instances, shown)
    definitions = {each.name: each for each in _definitions(tree)}
    classes = {name: each for name, each in definitions.items() if is_module_class(space.get(name))}
    functions = _factories(definitions, space)
    roots = _unused(classes, classes.values())
    if len(roots) > 1:
        roots = _called_by_main(tree, roots) or roots
    if len(roots) > 1:
        raise _several(roots, shown)
    makers = [
        name for name in _unused(functions, (definitions[name] for name in functions)) if _needs_nothing(space[name])
    ]
    if len(makers) > 1:
        makers = _called_by_main(tree, makers) or makers
    found = [Target(name, "class", space[name]) for name in roots or list(classes)[:1]]
    found += [Target(name, "function", space[name]) for name in makers]
    if not found and functions:
        found = [Target(name, "function", space[name]) for name in functions]
    if not found:
        for name in definitions:
            if missing_base(space.get(name)):
                as_target(name, space[name], shown)
        raise InputError(f"There is no nn.Module in {shown}; name a file that defines one, or {shown}:EXPRESSION.")
    return found


def _several(names: Iterable[str], shown: str) -> UsageError:
    names = list(names)
    return UsageError(f"There are several models in {shown}: {_listed(names)}; choose one, as in {shown}:{names[0]}.")


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    return ", ".join(names[:_MOST_LISTED]) + more


def _is_model_like(value: object) -> bool:
    return is_module(value) or (is_module_class(value) and not str(value.__module__).startswith("torch."))


def _module_names(tree: ast.Module) -> Iterator[str]:
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign | ast.If | ast.Try | ast.With):
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.id


def _outer_instances(instances: Mapping[str, object]) -> list[str]:
    """Return the names of modules that are in no other module and are no loss, each module once."""
    inner: set[int] = set()
    seen: dict[int, str] = {}
    for name, value in instances.items():
        if type(value).__module__ == torch.nn.modules.loss.__name__:
            continue
        seen.setdefault(id(value), name)
        try:
            inner |= {id(child) for child in torch.nn.Module.modules(value) if child is not value}  # type: ignore[arg-type]
        except Exception:
            continue
    return [name for key, name in seen.items() if key not in inner]


def _definitions(tree: ast.Module) -> Iterator[ast.ClassDef | ast.FunctionDef]:
    waiting: list[ast.stmt] = list(reversed(tree.body))
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, ast.ClassDef | ast.FunctionDef):
            yield statement
        elif isinstance(statement, ast.If | ast.Try):
            waiting += reversed([*statement.body, *statement.orelse])


def _unused(names: Iterable[str], users: Iterable[ast.AST]) -> list[str]:
    """Return the names that no user refers to, but for the one that defines it."""
    used: set[str] = set()
    for user in users:
        own = getattr(user, "name", "")
        used |= {node.id for node in ast.walk(user) if isinstance(node, ast.Name) and node.id != own}
    return [name for name in names if name not in used]


def _called_by_main(tree: ast.Module, names: Iterable[str]) -> list[str]:
    called: set[str] = set()
    for scope in scopes_of(tree):
        if scope.name in {"__main__", "main"}:
            called |= {
                node.func.id for node in scope.nodes() if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            }
    return [name for name in names if name in called]


def _factories(definitions: Mapping[str, ast.AST], space: Mapping[str, object]) -> list[str]:
    """Return the functions that return a module they call a class for, or what another such function returns."""
    found: set[str] = set()
    functions = {name: each for name, each in definitions.items() if isinstance(space.get(name), FunctionType)}
    while new := {name for name, each in functions.items() if name not in found and _makes_model(each, space, found)}:
        found |= new
    return [name for name in functions if name in found]


def _makes_model(definition: ast.AST, space: Mapping[str, object], factories: set[str]) -> bool:
    made = {
        target.id
        for node in ast.walk(definition)
        if isinstance(node, ast.Assign) and _is_model_call(node.value, space, factories)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return any(
        isinstance(node, ast.Return)
        and node.value is not None
        and (
            _is_model_call(node.value, space, factories) or (isinstance(node.value, ast.Name) and node.value.id in made)
        )
        for node in ast.walk(definition)
    )


def _is_model_call(value: ast.expr, space: Mapping[str, object], factories: set[str]) -> bool:
    if not isinstance(value, ast.Call):
        return False
    callee: object = None
    match value.func:
        case ast.Name(id=name) if name in factories:
            return True
        case ast.Name(id=name):
            callee = space.get(name)
        case ast.Attribute(value=ast.Name(id=base), attr=name):
            callee = getattr(space.get(base), name, None)
    return is_module_class(callee)


def _needs_nothing(function: object) -> bool:
    try:
        parameters = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    except Exception:
        return False
    return not any(
        each.default is each.empty and each.kind not in {each.VAR_POSITIONAL, each.VAR_KEYWORD} for each in parameters
    )
