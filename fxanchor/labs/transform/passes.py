"""Find the pass that was asked for and make of it a function from GraphModule to GraphModule."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from torch import fx
from torch.fx import replace_pattern

from fxanchor.errors import InputError, UsageError
from fxanchor.model.importing import find_place, import_whole, prepare_path
from fxanchor.model.raised import summary
from fxanchor.model.sourcefile import read_source
from fxanchor.model.spec import parse_model, suggest

_FORMS = (
    "a subclass of torch.fx.Transformer, a function of one GraphModule, a class with transform(graph_module),"
    " or a pair (pattern, replacement)"
)


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass that is there.

    Attributes:
        name: As it was asked for, with the name that was found when only a file was named.
        kind: What sort of pass it is, in words.
        file: Its file.
        run: Runs it: takes the input and returns the module it made, which may be the input.
    """

    name: str
    kind: str
    file: str
    run: Callable[[fx.GraphModule], fx.GraphModule]


def load_pass(text: str, loaded: dict[str, ModuleType]) -> Pass:
    """Import a pass.

    Args:
        text: `passes.py:Name`, `passes.py:expression`, or `passes.py` when it defines one pass only.
        loaded: Files that were imported already, by path; a file is imported once.

    Raises:
        UsageError: When there is no such pass in the file, or it is none.
        InputError: When the file cannot be read or imported.
    """
    spec = parse_model(text)
    if not spec.file:
        raise UsageError(f"{text!r} names no pass; give file.py:Name.")
    module = import_file(spec.file, loaded)
    if spec.expression:
        value, shown = evaluate(spec.expression, module, spec.file), text
    else:
        name, value = _only_pass(module, spec.file)
        shown = f"{text}:{name}"
    found = classify(value)
    if found is None:
        raise UsageError(f"{shown} is not a pass; give {_FORMS}.")
    kind, run = found
    return Pass(shown, kind, str(module.__file__), run)


def import_file(file: str, loaded: dict[str, ModuleType]) -> ModuleType:
    """Import a Python file that the user named, once.

    Raises:
        InputError: When it cannot be read or imported.
    """
    source = read_source(Path(file), file)
    key = str(source.path)
    if key not in loaded:
        place = find_place(source)
        prepare_path(source, place)
        try:
            loaded[key] = import_whole(source, place)
        except (Exception, SystemExit) as error:
            raise InputError(f"Importing {file} raised {summary(error)}; correct it.") from error
    return loaded[key]


def evaluate(expression: str, module: ModuleType, file: str) -> object:
    """Return the value of a name or expression in a file.

    Raises:
        UsageError: When it raises.
    """
    try:
        found: object = eval(expression, vars(module))  # the user's own words, in a child process
    except (Exception, SystemExit) as error:
        names = [name for name in vars(module) if not name.startswith("_")]
        hint = suggest(expression, names) if isinstance(error, NameError) else f": {summary(error)}"
        raise UsageError(f"{file} has no {expression!r}{hint}; name what it defines.") from error
    return found


def classify(value: object) -> tuple[str, Callable[[fx.GraphModule], fx.GraphModule]] | None:
    """Tell what sort of pass a value is and how to run it; None when it is none.

    Args:
        value: What was found in the file.
    """
    if isinstance(value, type):
        if issubclass(value, fx.Transformer):
            return "Transformer", lambda gm: value(gm).transform()
        kind: Any = value
        if callable(getattr(kind, "transform", None)):
            return "class with transform", lambda gm: _module(kind().transform(gm), gm)
        if callable(getattr(kind, "call", None)):
            return "class to be called", lambda gm: _module(kind()(gm), gm)
        return None
    match value:
        case (pattern, replacement) if callable(pattern) and callable(replacement):
            return "pattern and replacement", lambda gm: _rewrite(gm, pattern, replacement)
    transform = getattr(value, "transform", None)
    if callable(transform):
        return "object with transform", lambda gm: _module(transform(gm), gm)
    if callable(value) and _takes_one(value):
        return "function", lambda gm: _module(value(gm), gm)
    return None


def _module(result: object, given: fx.GraphModule) -> fx.GraphModule:
    """Return the module that a pass returned; one that returns nothing edited its input."""
    if result is None:
        return given
    result = getattr(result, "graph_module", result)
    if not isinstance(result, fx.GraphModule):
        raise TypeError(f"the pass returned {type(result).__name__}, not a GraphModule")
    return result


def _rewrite(gm: fx.GraphModule, pattern: Callable[..., Any], replacement: Callable[..., Any]) -> fx.GraphModule:
    replace_pattern(gm, pattern, replacement)
    return gm


def _takes_one(function: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    starred = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    needed = [each for each in parameters if each.default is each.empty and each.kind not in starred]
    positional = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    return len(needed) == 1 and bool(positional)


def _only_pass(module: ModuleType, file: str) -> tuple[str, object]:
    """Return the one pass that a file defines."""
    own = {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__ and _is_pass(value)
    }
    if len(own) == 1:
        return next(iter(own.items()))
    if not own:
        raise UsageError(f"{file} defines no pass; write {_FORMS}.")
    raise UsageError(f"{file} defines {', '.join(own)}; choose one, as in {file}:{next(iter(own))}.")


def _is_pass(value: object) -> bool:
    if inspect.isfunction(value):
        # Helpers take one argument, too; a pass says what it takes.
        hints = [str(hint) for hint in getattr(value, "__annotations__", {}).values()]
        return classify(value) is not None and any("GraphModule" in hint for hint in hints)
    return classify(value) is not None
