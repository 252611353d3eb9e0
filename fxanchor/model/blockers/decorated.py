"""A forward behind a decorator whose star parameters torch.fx gives to the wrong function."""

import ast
import copy
import inspect
from types import CodeType, FunctionType, MethodType
from typing import Any

from torch import nn

from fxanchor.model.blockers.attempt import Attempt, Substitute
from fxanchor.model.blockers.diagnosis import Context, Diagnosis, Draft
from fxanchor.model.blockers.modules import PARENT
from fxanchor.model.report import Trigger

_STARS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


def diagnose_decorated(context: Context) -> Diagnosis | None:
    """Conclude from a stop where the Proxies of forward's parameters went to the function around it.

    torch.fx reads the parameters of the innermost function and, when there are star parameters or parameters that
    are given by name alone, calls a copy of the outermost whose first local variables are set to the Proxies.
    """
    outer = _forward_of(context.root)
    inner = None if outer is None else inspect.unwrap(outer)
    if outer is None or not isinstance(inner, FunctionType) or inner is outer:
        return None
    code = inner.__code__
    if not code.co_flags & _STARS and not code.co_kwonlyargcount:
        return None
    if not any(_is_copy(crossing.site.code, outer.__code__) for crossing in context.stop.crossings) and (
        context.stop.last is None or context.stop.last.site.code.co_name != "_patch_function"
    ):
        return None
    wrapper = outer.__code__.co_qualname.partition(".")[0]
    return Diagnosis(
        "decorated-forward",
        "forward is decorated, and has star parameters or parameters that are given by name alone. For those, torch.fx "
        f"counts the parameters of forward but hands its Proxies to the function that {wrapper} put around it, "
        "where they land in the wrong variables.",
        None,
        (_parent(inner), _undecorated(context.root, inner)),
        where=_decorator(context, inner, wrapper),
    )


def _forward_of(root: nn.Module) -> FunctionType | None:
    forward: Any = object.__getattribute__(root, "__dict__").get("forward", getattr(type(root), "forward", None))
    if isinstance(forward, MethodType):
        forward = forward.__func__
    return forward if isinstance(forward, FunctionType) else None


def _is_copy(code: CodeType, original: CodeType) -> bool:
    place = (code.co_filename, code.co_firstlineno, code.co_qualname)
    return code is not original and place == (original.co_filename, original.co_firstlineno, original.co_qualname)


def _decorator(context: Context, inner: FunctionType, wrapper: str) -> Trigger | None:
    """The decorator that put the function around forward, else the first one."""
    definition = context.locator.sources.function(inner.__code__)
    if not isinstance(definition, ast.FunctionDef) or not definition.decorator_list:
        return None
    named = [each for each in definition.decorator_list if wrapper in ast.unparse(each)]
    return context.locator.node(inner.__code__.co_filename, [*named, *definition.decorator_list][0])


def _parent(inner: FunctionType) -> Draft:
    names = list(inspect.signature(inner).parameters.values())[1:]
    names = [each for each in names if each.kind is each.POSITIONAL_OR_KEYWORD]
    needed = [each.name for each in names if each.default is each.empty] or [each.name for each in names[:1]]
    scope: dict[str, Any] = {}
    given = ", ".join(needed)
    parent = PARENT.replace("forward(self, x)", f"forward(self, {given})").replace("child(x)", f"child({given})")
    exec(compile(f"import torch\n\n\n{parent}", "<fxanchor recipe>", "exec"), scope)
    make = scope["Parent"]

    def substitute(root: nn.Module) -> nn.Module:
        made = make(root)
        assert isinstance(made, nn.Module)
        return made

    change = f"{parent}\ngraph = torch.fx.symbolic_trace(Parent(model))"
    attempt = Attempt(substitute=Substitute(substitute, "Parent(model)", parent))
    return Draft(f"Trace inside a parent that gives {given} alone", change, attempt)


def _undecorated(root: nn.Module, inner: FunctionType) -> Draft:
    cls = type(root)

    def substitute(model: nn.Module) -> nn.Module:
        bare = copy.copy(model)
        bare.__class__ = type(cls.__name__, (cls,), {"forward": inner, "__module__": cls.__module__})
        return bare

    before = (
        "import copy\nimport inspect\n\n\n"
        "def undecorated(model):\n"
        "    cls = type(model)\n"
        "    bare = copy.copy(model)  # it shares the parameters\n"
        "    bare.__class__ = type(cls.__name__, (cls,), {'forward': inspect.unwrap(cls.forward)})\n"
        "    return bare\n"
    )
    change = f"{before}\ngraph = torch.fx.symbolic_trace(undecorated(model))"
    attempt = Attempt(substitute=Substitute(substitute, "undecorated(model)", before))
    return Draft("Trace forward without its decorators", change, attempt)
