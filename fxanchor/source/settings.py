"""Attributes that a module gives to a class from outside its body: they are there at run time, without a definition."""

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fxanchor.source.definition import Definition

if TYPE_CHECKING:
    from fxanchor.source.index import Index


@dataclass(frozen=True, slots=True)
class Setting:
    """A place that sets an attribute of a class.

    Attributes:
        owner: Qualified name of the class.
        name: The attribute, or "" when its name is worked out at run time: `setattr(Proxy, f"__{name}__", impl)`.
        file: Path relative to `Package.root`.
        line: 1-based line.
    """

    owner: str
    name: str
    file: str
    line: int


def find_settings(index: "Index", owner: Definition) -> tuple[Setting, ...]:
    """Return where the module of a class sets attributes of the class, and those of its bases do so with them.

    Args:
        index: The index that the class is in.
        owner: The class.

    Returns:
        The places: the class's own before those of its bases, by line.
    """
    return tuple(
        setting for base in index.order(owner.name) or (owner,) for setting in _of_class(index, base) if base.file
    )


def _of_class(index: "Index", owner: Definition) -> Iterator[Setting]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse("".join(index.lines(owner)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    module = index.module_of(owner)
    found = [(node.lineno, name) for target, name, node in _set(tree) if _is(index, module, target, owner)]
    for line, name in sorted(found):
        yield Setting(owner.name, name, owner.file, line)


def _set(tree: ast.Module) -> Iterator[tuple[ast.expr, str, ast.expr]]:
    """Give what an attribute is set on, its name as far as it is written, and the place."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="setattr"), args=[target, ast.Constant(value=str(name)), _]):
                yield target, name, node
            case ast.Call(func=ast.Name(id="setattr"), args=[target, _, _]):
                yield target, "", node
            case ast.Attribute(value=target, attr=name, ctx=ast.Store()):
                yield target, name, node


def _is(index: "Index", module: str, target: ast.expr, owner: Definition) -> bool:
    if not isinstance(target, ast.Name | ast.Attribute):
        return False
    found = index.resolve_in(module, ast.unparse(target))
    return found is not None and found.name == owner.name
