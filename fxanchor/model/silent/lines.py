"""Decisions that Python takes on a Proxy without asking it: identity with None, types, the training flag, chance."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FrameType, ModuleType
from typing import Any

import torch
from torch import fx, nn

from fxanchor.model.blockers.raiser import value_of
from fxanchor.model.positions import Locator

_RANDOM_MODULES = ("random", "numpy.random", "secrets")


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that was taken for good.

    Attributes:
        kind: `none-branch`, `isinstance-branch`, `training-baked`, `random-baked`, `constant-baked` or
            `custom-backward`.
        code: The code that took it.
        node: The syntax.
        subject: What it was taken on, in words.
    """

    kind: str
    code: CodeType
    node: ast.expr
    subject: str


class LineWatcher:
    """Looks at the lines that a trace runs for decisions on Proxies.

    Args:
        locator: Reads sources.
    """

    def __init__(self, locator: Locator) -> None:
        self.decisions: list[Decision] = []
        self._locator = locator
        self._sites: dict[int, dict[int, list[ast.expr]]] = {}
        self._kept: list[CodeType] = []
        self._seen: set[ast.expr] = set()

    def reached(self, frame: FrameType) -> None:
        """Look at the line that a frame is about to run."""
        for node in self._lines(frame.f_code).get(frame.f_lineno, ()):
            if node in self._seen:
                continue
            decision = self._decide(node, frame)
            if decision is not None:
                self._seen.add(node)
                self.decisions.append(decision)

    def _lines(self, code: CodeType) -> dict[int, list[ast.expr]]:
        found = self._sites.get(id(code))
        if found is None:
            self._kept.append(code)
            found = self._sites[id(code)] = {}
            definition = self._locator.sources.function(code)
            for node in _own_expressions(definition) if definition is not None else ():
                if _is_interesting(node):
                    found.setdefault(node.lineno, []).append(node)
        return found

    def _decide(self, node: ast.expr, frame: FrameType) -> Decision | None:
        if isinstance(node, ast.Attribute):
            owner = value_of(node.value, frame)
            if isinstance(owner, nn.Module):
                return Decision("training-baked", frame.f_code, node, type(owner).__name__)
            return None
        if isinstance(node, ast.Compare):
            return self._compare(node, frame)
        if isinstance(node, ast.Call):
            return self._call(node, frame)
        return None

    def _compare(self, node: ast.Compare, frame: FrameType) -> Decision | None:
        if isinstance(node.ops[0], ast.Is | ast.IsNot) and _is_none(node.comparators[0]):
            value = value_of(node.left, frame)
            if isinstance(value, fx.Proxy) and _is_argument(value):
                return Decision("none-branch", frame.f_code, node, str(value.node.target))
            return None
        if isinstance(node.left, ast.Call) and isinstance(value_of(node.left.args[0], frame), fx.Proxy):
            return Decision("isinstance-branch", frame.f_code, node, ast.unparse(node.left.args[0]))
        return None

    def _call(self, node: ast.Call, frame: FrameType) -> Decision | None:
        function = value_of(node.func, frame)
        if function is None:
            return None
        if function is torch.is_tensor or function is isinstance:
            subject = value_of(node.args[0], frame)
            kinds = (torch.Tensor,) if function is torch.is_tensor else _classes(node, frame)
            if isinstance(subject, fx.Proxy) and any(issubclass(kind, torch.Tensor) for kind in kinds):
                return Decision("isinstance-branch", frame.f_code, node, ast.unparse(node.args[0]))
            return None
        if function is torch.from_numpy or function is torch.frombuffer:
            # No mode sees these calls, as it sees those of other functions that make tensors.
            return Decision("constant-baked", frame.f_code, node, ast.unparse(node.func))
        owner = getattr(function, "__self__", None)
        module = getattr(function, "__module__", None) or (
            owner.__name__ if isinstance(owner, ModuleType) else type(owner).__module__
        )
        if isinstance(owner, type) and issubclass(owner, torch.autograd.Function):
            return Decision("custom-backward", frame.f_code, node, owner.__name__)
        if str(module) in _RANDOM_MODULES:
            return Decision("random-baked", frame.f_code, node, ast.unparse(node.func))
        return None


def _own_expressions(definition: ast.AST) -> Iterator[ast.expr]:
    """The expressions of a function, without those of the functions inside it."""
    body = definition.body if isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) else []
    pending: list[ast.AST] = list(body) if isinstance(body, list) else [body]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.expr):
            yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            pending += ast.iter_child_nodes(node)


def _is_interesting(node: ast.expr) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "training" and isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Compare):
        if len(node.ops) != 1:
            return False
        if isinstance(node.ops[0], ast.Is | ast.IsNot) and _is_none(node.comparators[0]):
            return True
        left = node.left
        return (
            isinstance(left, ast.Call)
            and isinstance(left.func, ast.Name)
            and left.func.id == "type"
            and bool(left.args)
        )
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name):
            return bool(node.args) or node.func.id not in ("print", "len")
        return isinstance(node.func, ast.Attribute)
    return False


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_argument(proxy: fx.Proxy) -> bool:
    """Whether a Proxy stands for an argument of forward, which a caller may well leave out."""
    return type(proxy) is fx.Proxy and proxy.node.op == "placeholder"


def _classes(node: ast.Call, frame: FrameType) -> tuple[type[Any], ...]:
    """The classes that isinstance is asked about."""
    if len(node.args) != 2:
        return ()
    asked = node.args[1]
    parts = asked.elts if isinstance(asked, ast.Tuple) else [asked]
    values = [value_of(part, frame) for part in parts]
    found: list[type[Any]] = []
    for value in values:
        found += [item for item in (value if isinstance(value, tuple) else (value,)) if isinstance(item, type)]
    return tuple(found)
