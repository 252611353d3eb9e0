"""Make the model from its target: without arguments, with those given, or with those its own author gives."""

import ast
import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import torch

from fxanchor.errors import FxanchorError, InputError, UsageError
from fxanchor.model.allocation import build_within_budget
from fxanchor.model.callsites import CallSite, calls_of, is_harmless, normal_call, normal_text
from fxanchor.model.devices import OnWhatIsHere
from fxanchor.model.limits import RAISED
from fxanchor.model.modules import is_class, is_module
from fxanchor.model.plain import one_line
from fxanchor.model.raised import describe, exit_call
from fxanchor.model.spec import ModelSpec
from fxanchor.model.standins import MissingPackageError
from fxanchor.model.targets import Target
from fxanchor.model.usages import Usage

_MOST_WAYS = 12
_LONGEST_CALL = 90


@dataclass(frozen=True, slots=True)
class Built:
    """A model that was built.

    Attributes:
        module: The model.
        text: The call that built it, in words.
        call: The call in full, its names read as `callsites.normal_call` gives it; "" for an instance.
        notes: What else is to be known, one sentence each.
    """

    module: torch.nn.Module
    text: str
    call: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Way:
    text: str
    call: str
    make: Callable[[], object]
    where: str = ""


def build(target: Target, spec: ModelSpec, module: ModuleType, usages: list[Usage]) -> Built:
    """Build the model.

    Args:
        target: What it is made from.
        spec: The arguments that were given, if any.
        module: The module of the target.
        usages: Files that may call the target, the model's own first.

    Raises:
        UsageError: When arguments are needed and none were found, with their names.
        InputError: When building raises, or gives no `nn.Module`.
    """
    if target.kind == "instance":
        assert is_module(target.value)
        return Built(target.value, target.text, "", ())
    first: FxanchorError | None = None
    for tried, way in enumerate(_ways(target, spec, module, usages)):
        if tried >= _MOST_WAYS:
            break
        try:
            return _build_by(way)
        except FxanchorError as error:
            first = first or error
    raise first or _needs_arguments(target, spec.source)


def _build_by(way: _Way) -> Built:
    devices = OnWhatIsHere()

    def make() -> object:
        with devices:
            return way.make()

    try:
        allocated = build_within_budget(make)
    except FxanchorError:
        raise
    except SystemExit as error:
        raise InputError(f"Building {way.text} called {exit_call(error)}; build the model without it.") from None
    except MissingPackageError as error:
        missing = f"{error.used}, and {error.package} cannot be imported; {error.advice}"
        raise InputError(f"Building {way.text} needs {missing}.") from None
    except RAISED as error:
        raise InputError(
            f"Building {way.text} raised {describe(error)}; give other arguments with --args, or name an expression."
        ) from error
    if not is_module(allocated.value):
        what = type(allocated.value).__name__
        raise InputError(f"{way.text} gives a {what}, not an nn.Module; name an expression that gives the model.")
    notes = [f"{way.text} {allocated.note}."] if allocated.note else []
    if devices.used:
        notes.append(f"{way.text} asks for CUDA, which is not here: built without it.")
    return Built(allocated.value, way.text + (f", as at {way.where}" if way.where else ""), way.call, tuple(notes))


def _ways(target: Target, spec: ModelSpec, module: ModuleType, usages: list[Usage]) -> Iterator[_Way]:
    space = vars(module)
    if target.kind == "expression":
        code = target.code or target.text
        where = f"line {target.line}" if target.line else ""
        yield _Way(one_line(code, _LONGEST_CALL), normal_text(code), lambda: _called(_evaluate(code, space)), where)
        return
    call: Callable[..., object] = target.value  # type: ignore[assignment]
    if spec.args or spec.config:
        yield _given(target, spec, call, space)
        return
    needed = required_parameters(call)
    name = target.text.rpartition(".")[2]
    sites = [_as_there(target, call, usage, site) for usage in usages for site in _usable(usage, name)]
    # What the file's own main part says comes before defaults: its inputs are made for that.
    main = [way for way, is_main in sites if is_main]
    yield from main
    if not needed:
        yield _Way(f"{target.text}()", f"{name}()", call)
    yield from (way for way, is_main in sites if not is_main)
    if not needed and (weightless := _without_weights(call)):
        text = f"{target.text}({weightless}=None)"
        yield _Way(text, f"{name}({weightless}=None)", lambda: call(**{weightless: None}))
    if len(needed) == 1:
        for config in _configurations(call, needed[0], space):
            text = f"{target.text}({config}())"
            yield _Way(text, normal_text(text), lambda config=config: call(space[config]()))  # type: ignore[misc]


def _usable(usage: Usage, name: str) -> Iterator[CallSite]:
    for site in calls_of(usage, name):
        arguments = [*site.call.args, *(keyword.value for keyword in site.call.keywords)]
        if all(is_harmless(each, usage.space) for each in arguments):
            yield site


def _as_there(target: Target, call: Callable[..., object], usage: Usage, site: CallSite) -> tuple[_Way, bool]:
    """Return the way of a call site, and whether it is of the main part of the model's own file."""
    text = ast.unparse(ast.Call(ast.Name(target.text), site.call.args, site.call.keywords))
    shown = one_line(text, 400) if len(text) <= _LONGEST_CALL else site.written
    where = usage.at(site.line) if site.call.args or site.call.keywords else ""
    way = _Way(shown, normal_call(site.call), _calling(call, site.call, usage.space), where)
    return way, not usage.beside and site.scope in {"__main__", "main", ""}


def _calling(call: Callable[..., object], node: ast.Call, space: Mapping[str, Any]) -> Callable[[], object]:
    text = ast.unparse(ast.Call(ast.Name("_call"), node.args, node.keywords))
    return lambda: _evaluate(text, {**space, "_call": call})


def _given(target: Target, spec: ModelSpec, call: Callable[..., object], space: dict[str, Any]) -> _Way:
    config = spec.config
    if config and is_class(space.get(config)):
        config += "()"
    arguments = ", ".join(part for part in (config, spec.args.strip().rstrip(",")) if part)
    text = f"_call({arguments})"
    shown = f"{target.text}({arguments})"
    return _Way(shown, normal_text(shown), lambda: _evaluate(text, {**space, "_call": call}))


def _evaluate(text: str, space: dict[str, Any]) -> object:
    return eval(compile(text.strip(), "<model expression>", "eval", dont_inherit=True), dict(space))


def _called(value: object) -> object:
    """Return what an expression stands for: classes and functions are called without arguments."""
    if not is_module(value) and callable(value) and not required_parameters(value):
        return value()
    return value


def required_parameters(call: object) -> list[str]:
    """Return the names of the parameters that must be given; none when the signature cannot be read.

    Args:
        call: A class or function.
    """
    try:
        parameters = inspect.signature(call).parameters.values()  # type: ignore[arg-type]
    except Exception:
        return []
    return [
        each.name
        for each in parameters
        if each.default is each.empty and each.kind not in {each.VAR_POSITIONAL, each.VAR_KEYWORD}
    ]


def _without_weights(call: object) -> str:
    """Return the name of the parameter that asks for trained weights by default, which are to be downloaded, or ""."""
    try:
        parameters = inspect.signature(call).parameters  # type: ignore[arg-type]
    except Exception:
        return ""
    asking = (name for name in ("pretrained", "weights") if name in parameters)
    return next((name for name in asking if parameters[name].default not in {False, None}), "")


def _configurations(call: Callable[..., object], needed: str, space: dict[str, Any]) -> list[str]:
    """Return the names of the configuration classes that the one needed parameter can be."""
    names = [
        name
        for name, value in space.items()
        if is_class(value) and _is_configuration(name, value) and not required_parameters(value)
    ]
    try:
        annotation = inspect.signature(call).parameters[needed].annotation
    except Exception:
        return []
    wanted = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    exact = [name for name in names if name == wanted or space[name] is annotation]
    if exact:
        return exact[:1]
    return names if len(names) == 1 and needed in {"config", "cfg", "conf", "args", "params", "hparams", "opt"} else []


def _is_configuration(name: str, value: type) -> bool:
    """Whether a class holds settings: a dataclass, or one that its author calls so."""
    return dataclasses.is_dataclass(value) or name.endswith(("Config", "Configuration"))


def _needs_arguments(target: Target, source: str) -> UsageError:
    needed = required_parameters(target.value)
    example = ", ".join(f"{name}=..." for name in needed)
    return UsageError(
        f"{target.text} needs arguments ({', '.join(needed)}) and {one_line(source)} shows no call of it;"
        f' give them, as in --args "{example}".'
    )
