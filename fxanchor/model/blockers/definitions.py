"""Where in the user's classes an attribute, a buffer or a submodule is made: the root causes on other lines."""

import ast
import inspect
from collections.abc import Iterator

from torch import nn

from fxanchor.model.places import Owner
from fxanchor.model.positions import Locator
from fxanchor.model.report import Trigger

_REGISTERING = ("register_buffer", "register_parameter", "add_module", "register_module")


def attribute_made(owner: object, name: str, locator: Locator) -> tuple[str, ast.stmt] | None:
    """The statement that makes an attribute of an object: `self.name = ...` or a call that registers it.

    Args:
        owner: The object.
        name: The attribute.
        locator: Reads sources.

    Returns:
        The file and the statement, that of the most derived class that has one; None when there is none.
    """
    for filename, definition in class_definitions(type(owner), locator):
        found = [statement for statement in ast.walk(definition) if _makes(statement, name)]
        # An assignment in __init__ is the one that made it; others change it later.
        found.sort(key=lambda statement: not _inside_init(definition, statement))
        if found and isinstance(found[0], ast.stmt):
            return filename, found[0]
    return None


def attribute_cause(owner: object, name: str, locator: Locator) -> Trigger | None:
    """The same as a trigger."""
    found = attribute_made(owner, name, locator)
    return None if found is None else locator.node(found[0], found[1])


def call_inside(filename: str, statement: ast.stmt, called: str, locator: Locator) -> Trigger | None:
    """The one call of a name inside a statement, or None when there is none or more than one."""
    calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call) and _last_name(node.func) == called]
    return locator.node(filename, calls[0]) if len(calls) == 1 else None


def class_definitions(cls: type, locator: Locator) -> Iterator[tuple[str, ast.ClassDef]]:
    """The definitions of a class and its bases that are the user's or a library's, the class first."""
    for base in inspect.getmro(cls):
        filename = _file_of(base)
        if not filename or locator.places.owner(filename) is Owner.MACHINERY:
            continue
        tree = locator.sources.tree(filename)
        named = [
            node
            for node in (ast.walk(tree) if tree is not None else ())
            if isinstance(node, ast.ClassDef) and node.name == base.__name__
        ]
        if len(named) == 1:
            yield filename, named[0]


def module_path(root: nn.Module, module: object) -> str | None:
    """The path of a module below the root, or None when it is not registered there."""
    return next((path for path, found in root.named_modules() if found is module), None)


def _file_of(cls: type) -> str:
    """The file of a class, as the code of its functions names it."""
    for value in vars(cls).values():
        code = getattr(inspect.unwrap(value) if callable(value) else value, "__code__", None)
        if code is not None and code.co_qualname.startswith(cls.__qualname__ + "."):
            return str(code.co_filename)
    return ""


def _makes(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Assign):
        return any(_is_own(target, name) for target in node.targets)
    if isinstance(node, ast.AnnAssign):
        return node.value is not None and _is_own(node.target, name)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        call = node.value
        registers = isinstance(call.func, ast.Attribute) and call.func.attr in _REGISTERING and bool(call.args)
        return registers and isinstance(call.args[0], ast.Constant) and call.args[0].value == name
    return False


def _is_own(target: ast.expr, name: str) -> bool:
    if isinstance(target, ast.Tuple | ast.List):
        return any(_is_own(item, name) for item in target.elts)
    return (
        isinstance(target, ast.Attribute)
        and target.attr == name
        and isinstance(target.value, ast.Name)
        and target.value.id == "self"
    )


def _inside_init(definition: ast.ClassDef, statement: ast.AST) -> bool:
    return any(
        statement in ast.walk(function)
        for function in definition.body
        if isinstance(function, ast.FunctionDef) and function.name == "__init__"
    )


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
