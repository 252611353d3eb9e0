"""Where a model comes from in its file: the head of its class, or the statement that makes it."""

import ast

from torch import nn

from fxanchor.model.blockers.definitions import class_definitions
from fxanchor.model.positions import Locator, Span
from fxanchor.model.report import Trigger


def home_of(module: nn.Module, filename: str, target: str, locator: Locator) -> Trigger | None:
    """The place that stands for a model as a whole, or None when it is not certain.

    Args:
        module: The model.
        filename: Its file.
        target: Name or expression of the model.
        locator: Finds positions.
    """
    for file, definition in class_definitions(type(module), locator):
        if definition.name == type(module).__name__:
            return _head(file, definition, locator)
    tree = locator.sources.tree(filename)
    for statement in tree.body if tree is not None else ():
        if isinstance(statement, ast.Assign) and any(
            isinstance(name, ast.Name) and name.id == target for name in statement.targets
        ):
            return locator.node(filename, statement)
        if isinstance(statement, ast.ClassDef) and statement.name == type(module).__name__:
            return _head(filename, statement, locator)
    return None


def _head(filename: str, definition: ast.ClassDef, locator: Locator) -> Trigger:
    """The line that a class begins with, from the keyword to the colon."""
    lines = locator.sources.lines(filename)
    text = lines[definition.lineno - 1].rstrip() if definition.lineno <= len(lines) else ""
    return locator.at(filename, Span(definition.lineno, definition.lineno, definition.col_offset, len(text)))
