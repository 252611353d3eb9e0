"""Where the modules of a torch container are made, for models whose forward is torch's own: `nn.Sequential(...)`."""

import ast
from collections.abc import Iterator

from torch import nn

from fxanchor.model.blockers.definitions import class_definitions
from fxanchor.model.positions import Locator
from fxanchor.model.report import Trigger


def made_triggers(module: nn.Module, filename: str, target: str, locator: Locator) -> dict[str, Trigger]:
    """The expressions that make the submodules of a container, by path; only those that are certain.

    Args:
        module: The model.
        filename: Its file.
        target: The name it has there.
        locator: Finds positions.
    """
    found: dict[str, Trigger] = {}
    if isinstance(module, nn.Sequential):
        for file, call in _makers(module, filename, target, locator):
            _match(module, call, "", file, locator, found)
            if found:
                break
    return found


def nearest(path: str, made: dict[str, Trigger]) -> Trigger | None:
    """The expression for a path, or for the nearest module around it."""
    while path and path not in made:
        path = path.rpartition(".")[0]
    return made.get(path)


def _makers(module: nn.Module, filename: str, target: str, locator: Locator) -> Iterator[tuple[str, ast.Call]]:
    """The calls that may make the container: `super().__init__(...)` in its class, or the value given to its name."""
    for file, definition in class_definitions(type(module), locator):
        for node in ast.walk(definition):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "super().__init__":
                yield file, node
    tree = locator.sources.tree(filename)
    for statement in tree.body if tree is not None else ():
        named = isinstance(statement, ast.Assign) and any(
            isinstance(name, ast.Name) and name.id == target for name in statement.targets
        )
        if named and isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            yield filename, statement.value


def _match(
    module: nn.Sequential, call: ast.Call, path: str, filename: str, locator: Locator, found: dict[str, Trigger]
) -> None:
    """Pair the submodules of a container with the arguments of the call that made it."""
    makers = _items(call)
    children = list(module.named_children())
    if len(makers) != len(children):
        return
    for (name, child), maker in zip(children, makers, strict=True):
        below = f"{path}.{name}" if path else name
        found[below] = locator.node(filename, maker)
        if isinstance(child, nn.Sequential) and isinstance(maker, ast.Call):
            _match(child, maker, below, filename, locator, found)


def _items(call: ast.Call) -> list[ast.expr]:
    """The arguments of a call; of `OrderedDict([(name, module), ...])` the modules. Empty when a star hides some."""
    only = call.args[0] if len(call.args) == 1 else None
    if isinstance(only, ast.Call) and ast.unparse(only.func).endswith("OrderedDict") and only.args:
        pairs = only.args[0].elts if isinstance(only.args[0], ast.List | ast.Tuple) else []
        return [pair.elts[1] for pair in pairs if isinstance(pair, ast.Tuple) and len(pair.elts) == 2]
    return [] if any(isinstance(arg, ast.Starred) for arg in call.args) else list(call.args)
