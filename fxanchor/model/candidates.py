"""Find what in a file is its model when none was named: the one thing that is certain to be it."""

import ast
import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import FunctionType, ModuleType

import torch

from fxanchor.errors import InputError, UsageError
from fxanchor.model.modules import is_module, is_module_class
from fxanchor.model.scopes import option_defaults, scopes_of
from fxanchor.model.standins import missing_base
from fxanchor.model.targets import Target, as_target, listed

# Packages whose functions return models.
_MODEL_LIBRARIES = frozenset({"torchvision", "timm", "transformers", "segmentation_models_pytorch", "monai"})


@dataclass(frozen=True, slots=True)
class Candidates:
    """What may be the model of a file.

    Attributes:
        targets: The best first; the later ones are for when it cannot be built.
        choices: What to choose from when none of them can be built.
    """

    targets: tuple[Target, ...]
    choices: tuple[str, ...] = ()


def find_candidates(tree: ast.Module, module: ModuleType, shown: str) -> Candidates:
    """Return what may be the model of a file.

    In this order: the one module-level instance, the one class that no other class of the file uses, the one function
    that returns a model and needs no arguments, the one model that is built and named in the file. Where there are
    several, those that `main` or the main guard calls count.

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
    if len(instances) > 1:
        raise several(instances, shown)
    if instances:
        return Candidates((Target(instances[0], "instance", space[instances[0]]),))
    definitions = {each.name: each for each in _definitions(tree)}
    classes = {name: each for name, each in definitions.items() if is_module_class(space.get(name))}
    uses = {name: _used_by(name, definitions) for name in definitions}
    roots = _certain(tree, _unused(classes, classes, uses) or list(classes))
    if len(roots) > 1:
        raise several(roots, shown)
    factories = _factories(definitions, space)
    makers = _unused(factories, [*factories, *classes], uses)
    ready = [name for name in makers if _needs_nothing(space[name])]
    makers = _certain(tree, ready if roots else ready or makers)
    found = [Target(name, "class", space[name]) for name in roots]
    if len(makers) == 1:
        found.append(Target(makers[0], "function", space[makers[0]]))
    if not found and not makers:
        found = _built_in_main(tree, space)
    if not found and not makers:
        for name in definitions:
            if missing_base(space.get(name)):
                as_target(name, space[name], shown)
        imported = [name for name, value in space.items() if is_module_class(value) and not _is_torch(value)]
        if imported:
            raise UsageError(
                f"{shown} defines no nn.Module and imports {listed(imported)}; name one, as in {shown}:{imported[0]}."
            )
        raise InputError(f"There is no nn.Module in {shown}; name a file that defines one, or {shown}:EXPRESSION.")
    return Candidates(tuple(found), tuple(makers) if len(makers) > 1 else ())


def several(names: Iterable[str], shown: str) -> UsageError:
    """Return the error for a choice that only the user can make.

    Args:
        names: What there is to choose from.
        shown: How to name the file.
    """
    names = list(names)
    return UsageError(f"There are several models in {shown}: {listed(names)}; choose one, as in {shown}:{names[0]}.")


def _certain(tree: ast.Module, names: list[str]) -> list[str]:
    if len(names) < 2:
        return names
    return _called_by_main(tree, names) or names


def _built_in_main(tree: ast.Module, space: Mapping[str, object]) -> list[Target]:
    """Return the one model that the file itself builds from what it imports, and gives a name."""
    defaults = option_defaults(tree)
    for scope in scopes_of(tree, space):
        if scope.name not in {"__main__", "main", ""}:
            continue
        built = [(name, value) for name, value in scope.bindings.items() if _gives_model(value, space)]
        if len(built) == 1:
            name, value = built[0]
            read = scope.read(value, defaults, ())
            if read is not None:
                return [Target(name, "expression", None, ast.unparse(read), value.lineno)]
    return []


def _gives_model(value: ast.expr, space: Mapping[str, object]) -> bool:
    callee = _callee(value, space)
    if is_module_class(callee):
        return getattr(callee, "__module__", "") != torch.nn.modules.loss.__name__
    home = str(getattr(callee, "__module__", "")).split(".")
    return isinstance(callee, FunctionType) and home[0] in _MODEL_LIBRARIES and "models" in home


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


def _unused(names: Iterable[str], users: Iterable[str], uses: Mapping[str, set[str]]) -> list[str]:
    """Return the names that no user uses, but for itself."""
    return [name for name in names if not any(name in uses[user] for user in users if user != name)]


def _used_by(name: str, definitions: Mapping[str, ast.AST]) -> set[str]:
    """Return the definitions of the file that one of them refers to, directly or through others."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        nodes = ast.walk(definitions[waiting.pop()])
        new = {node.id for node in nodes if isinstance(node, ast.Name)} & definitions.keys() - found
        found |= new
        waiting += new
    return found


def _is_torch(value: type) -> bool:
    return str(getattr(value, "__module__", "")).partition(".")[0] == "torch"


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
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in factories:
        return True
    return is_module_class(_callee(value, space))


def _callee(value: ast.expr, space: Mapping[str, object]) -> object:
    if not isinstance(value, ast.Call):
        return None
    first, *rest = ast.unparse(value.func).split(".")
    callee = space.get(first)
    for part in rest:
        callee = getattr(callee, part, None)
    return callee


def _needs_nothing(function: object) -> bool:
    try:
        parameters = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    except Exception:
        return False
    return not any(
        each.default is each.empty and each.kind not in {each.VAR_POSITIONAL, each.VAR_KEYWORD} for each in parameters
    )
