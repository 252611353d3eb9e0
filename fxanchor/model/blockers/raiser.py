"""Who raised: a line of torch, of a library, of the user; or no Python line at all, and then what was called."""

import ast
import builtins
import inspect
from types import (
    BuiltinFunctionType,
    FrameType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)

import torch
from torch import nn

from fxanchor.model.places import Owner
from fxanchor.model.positions import Locator, Site, opcode_at
from fxanchor.model.report import RaisedAt

_RAISING = ("RAISE_VARARGS", "RERAISE")


def raised_by(site: Site, frame: FrameType, error: BaseException, locator: Locator) -> RaisedAt:
    """Who raised an exception whose innermost Python frame this is.

    A frame whose instruction is no `raise` did not raise: what it called did, in C or C++, and has no line.
    """
    code = site.code
    span = locator.span(site)
    if is_raise(site):
        return RaisedAt(code.co_qualname, locator.places.shown(code.co_filename), span.line if span else 0)
    if locator.places.owner_of(code) is not Owner.USER:
        # Inside torch or a library its line says enough, also where it is C that it called.
        return RaisedAt(code.co_qualname, locator.places.shown(code.co_filename), span.line if span else 0)
    if isinstance(error, ImportError | SyntaxError):
        return RaisedAt("the import system of Python", "", 0)
    return RaisedAt(_native(site, frame, locator), "", 0)


def is_raise(site: Site) -> bool:
    """Whether an instruction is a raise or a failed assert."""
    return opcode_at(site) in _RAISING


def _native(site: Site, frame: FrameType, locator: Locator) -> str:
    """What raised without a Python line, in words."""
    calls = [node for node in locator.syntax(site) if isinstance(node, ast.Call)]
    called = value_of(calls[-1].func, frame) if calls and "CALL" in opcode_at(site) else None
    if called is None:
        return "Python itself (CPython)"
    name = getattr(called, "__name__", "")
    module = getattr(called, "__module__", None) or ""
    if (isinstance(called, type) and module == "builtins") or getattr(builtins, str(name), None) is called:
        return f"{name} of Python itself (CPython)"
    if isinstance(called, BuiltinFunctionType | MethodDescriptorType | WrapperDescriptorType):
        owner = getattr(called, "__self__", None)
        if module.startswith("torch") or type(owner).__module__.startswith("torch"):
            return f"{name} of torch, in C++"
        return f"{module}.{name}, in C" if module else f"{name}, in C"
    if type(called).__module__.startswith("torch.jit") or type(called).__name__ == "ScriptFunction":
        return f"{getattr(called, 'name', 'a scripted function')}, compiled by TorchScript"
    if name and not isinstance(called, FunctionType | MethodType | type | nn.Module):
        return f"{module}.{name}, in C" if module else f"{name}, in C"
    return "Python itself (CPython)"


def value_of(node: ast.expr, frame: FrameType) -> object:
    """The value of a name or an attribute chain in a frame, without running code of the user's; None when unknown."""
    if isinstance(node, ast.Name):
        for scope in (frame.f_locals, frame.f_globals, frame.f_builtins):
            if node.id in scope:
                return scope[node.id]
        return None
    if isinstance(node, ast.Attribute):
        owner = value_of(node.value, frame)
        return None if owner is None else _attribute(owner, node.attr)
    return None


def _attribute(owner: object, name: str) -> object:
    if isinstance(owner, nn.Module):
        held = object.__getattribute__(owner, "__dict__")
        for scope in (held, *(held.get(kept, {}) for kept in ("_parameters", "_buffers", "_modules"))):
            if name in scope:
                return scope[name]
        return inspect.getattr_static(type(owner), name, None)
    if isinstance(owner, ModuleType | type) or type(owner) in (torch.Tensor, nn.Parameter):
        return getattr(owner, name, None)
    return None
