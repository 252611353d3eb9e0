"""What is known of one stop, and what is concluded from it."""

import ast
import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from types import CodeType
from typing import Any

import torch
from torch import fx, nn
from torch.fx import _symbolic_trace as symbolic_module
from torch.fx import proxy as proxy_module

from fxanchor.model.blockers.attempt import Attempt, Wrap
from fxanchor.model.blockers.patching import Edit, parsed_expression, parsed_statements
from fxanchor.model.blockers.resume import Mode
from fxanchor.model.blockers.stop import Crossing, Stop
from fxanchor.model.places import Owner
from fxanchor.model.positions import Locator
from fxanchor.model.provenance import trigger_of
from fxanchor.model.report import RaisedAt, Trigger
from fxanchor.model.sources import range_of
from fxanchor.model.symbolic import Record, SymbolicRun

TO_BOOL = fx.proxy.TracerBase.to_bool.__code__
ITER = fx.proxy.TracerBase.iter.__code__
# What these give can be a Proxy; what `list` gives must be a list.
_REDUCING = ("min", "max", "sum", "abs", "pow", "divmod")
CALL_MODULE = fx.Tracer.call_module.__code__
PATH_OF_MODULE = fx.Tracer.path_of_module.__code__


@dataclass(frozen=True, slots=True)
class Draft:
    """A recipe that has not been tried yet.

    Attributes:
        title: What it does, in a few words.
        change: Code to paste.
        attempt: How to try it; None when it cannot be tried.
    """

    title: str
    change: str
    attempt: Attempt | None = None


@dataclass(frozen=True, slots=True)
class Goal:
    """What the failing syntax is taken for when the trace goes on behind it."""

    node: ast.expr | ast.stmt
    mode: Mode
    count: int = 2


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is concluded from a stop.

    Attributes:
        kind: Short name of the kind of failure.
        explanation: Why, in plain words.
        cause: The root cause on another line, or None.
        drafts: Recipes, the best first.
        goal: How to go on behind it, or None.
        where: The place to look at, where it is another than the stop's.
        raised_at: Who raised, where that is another than the stop's.
    """

    kind: str
    explanation: str
    cause: Trigger | None = None
    drafts: tuple[Draft, ...] = ()
    goal: Goal | None = None
    where: Trigger | None = None
    raised_at: RaisedAt | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """A stop with the trace that it ended.

    Attributes:
        stop: The stop.
        run: The trace.
        root: The model.
        locator: Finds positions.
        home: The place that stands for the model as a whole, or None.
    """

    stop: Stop
    run: SymbolicRun
    root: nn.Module
    locator: Locator
    home: Trigger | None = None

    @property
    def node(self) -> ast.expr | ast.stmt | None:
        """The syntax to look at."""
        return self.stop.node

    def text(self, node: ast.AST) -> str:
        """The source of a syntax node as the user wrote it; on one line when that took several."""
        if isinstance(node, ast.expr | ast.stmt | ast.arg) and hasattr(node, "lineno"):
            span = self.locator.node_span(self.stop.filename, node)
            text = self.locator.sources.text(self.stop.filename, (span.line, span.col), (span.end_line, span.end_col))
            if text and "\n" not in text:
                return text
        return ast.unparse(node)

    def texts(self, nodes: Iterable[ast.AST]) -> str:
        """The sources of arguments, with commas between them."""
        return ", ".join(
            f"{node.arg}={self.text(node.value)}" if isinstance(node, ast.keyword) and node.arg else self.text(node)
            for node in nodes
        )

    def around(self, *kinds: type[ast.AST]) -> ast.AST | None:
        """The nearest syntax node of these kinds around the one to look at."""
        if self.node is None:
            return None
        found = self.locator.sources.parents(self.stop.filename, self.node)
        return next((node for node in found if isinstance(node, kinds)), None)

    def parent(self) -> ast.AST | None:
        """The syntax node directly around the one to look at."""
        found = [] if self.node is None else self.locator.sources.parents(self.stop.filename, self.node)
        return found[0] if found else None

    def is_unused(self) -> bool:
        """Whether the expression to look at is a statement of its own, so that nothing is done with its value."""
        return isinstance(self.node, ast.expr) and isinstance(self.parent(), ast.Expr)

    def record_of(self, node: fx.Node) -> Record | None:
        """What was kept about a node."""
        return next((record for record in self.run.records if record.node is node), None)

    def trigger_of_node(self, node: fx.Node) -> Trigger | None:
        """The expression that made a node."""
        record = self.record_of(node)
        return None if record is None else trigger_of(record.sites, self.locator)

    def elsewhere(self, trigger: Trigger | None) -> Trigger | None:
        """The trigger, unless it is on the very line to look at."""
        here = self.stop.trigger
        if trigger is None or (here is not None and (trigger.file, trigger.line) == (here.file, here.line)):
            return None
        return trigger

    def raiser(self) -> Crossing | None:
        """The frame that called what made torch.fx raise: the one outside the files of torch.fx."""
        fx_files = (proxy_module.__file__, symbolic_module.__file__)
        return next((c for c in reversed(self.stop.crossings) if c.site.code.co_filename not in fx_files), None)

    def opened(self) -> list[nn.Module]:
        """The modules whose forward was running, the innermost first, without the root."""
        found: list[nn.Module] = []
        for crossing in reversed(self.stop.crossings):
            if crossing.site.code is CALL_MODULE:
                module = crossing.locals.get("m")
                if isinstance(module, nn.Module) and module is not self.root:
                    found.append(module)
        return found

    def leaf_drafts(self) -> tuple[Draft, ...]:
        """Keep the innermost opened module whole, when the stop is inside one."""
        opened = [module for module in self.opened() if type(module) is not nn.Sequential]
        if not opened:
            return ()
        cls = type(opened[0])
        change = leaf_change(f'type(m).__name__ == "{cls.__name__}"')
        return (Draft(f"Keep {cls.__name__} whole: a leaf module", change, Attempt(leaf_classes=(cls,))),)

    def wrap_drafts(self) -> tuple[Draft, ...]:
        """Record the call of the helper function that the stop is in, rather than enter it."""
        crossings = [c for c in self.stop.crossings if self.locator.places.owner_of(c.site.code) is not Owner.MACHINERY]
        found: list[Draft] = []
        for caller, callee in itertools.pairwise(crossings):
            name = _called_as(caller, callee.site.code, self.locator)
            if name and not found:
                found.append(self.wrap_draft(name, caller.frame.f_globals, self.locator.places.shown(_file(caller))))
        return tuple(found)

    def wrap_called(self) -> tuple[Draft, ...]:
        """Record the call at the place to look at, when it calls a global by its name; else of the helper around."""
        node, at = self.node, self.stop.at
        if at is not None and isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if callable(at.frame.f_globals.get(name)) and name not in at.frame.f_locals:
                return (self.wrap_draft(name, at.frame.f_globals, self.locator.places.shown(self.stop.filename)),)
        return (*self.helper_drafts(), *self.wrap_drafts())

    def builtin_drafts(self) -> tuple[Draft, ...]:
        """Record the call at the place to look at, when it reduces its arguments with a function of Python itself."""
        node, at = self.node, self.stop.at
        if at is None or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return ()
        name = node.func.id
        if name not in _REDUCING or name in at.frame.f_locals or name in at.frame.f_globals:
            return ()
        return (self.wrap_draft(name, at.frame.f_globals, self.locator.places.shown(self.stop.filename)),)

    def helper_drafts(self) -> tuple[Draft, ...]:
        """Record the call at the place to look at through a function of the user's own."""
        node = self.node
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute | ast.Name):
            return ()
        called = self.text(node.func)
        name = "call_" + called.rpartition(".")[2]
        before = f"def {name}(*args, **kwargs):\n    return {called}(*args, **kwargs)\n"
        new = f"{name}({self.texts([*node.args, *node.keywords])})"
        return (self.edit_draft("Record the call in a function of your own: torch.fx.wrap", node, new, before=before),)

    def wrap_draft(self, name: str, scope: dict[str, Any], file: str) -> Draft:
        """Wrap one name in the module that uses it."""
        change = f'torch.fx.wrap("{name}")  # at the top level of {file}'
        return Draft(f"Record calls of {name}: torch.fx.wrap", change, Attempt(wraps=(Wrap(scope, name),)))

    def edit_draft(self, title: str, node: ast.expr | ast.stmt, new: str, *, before: str = "") -> Draft:
        """Change an expression or a statement of the source."""
        statement = isinstance(node, ast.stmt)
        build = parsed_statements(new) if statement else parsed_expression(new)
        globals_ = {} if self.stop.at is None else self.stop.at.frame.f_globals
        scope = _executed(before, str(globals_.get("__name__", "")))
        imports = ("torch." in new or bool(before)) and "torch" not in globals_
        edit = Edit(
            self.stop.filename,
            range_of(node),
            statement,
            build,
            scope={**scope, **({"torch": torch} if imports else {})},
            text=new,
            before=before,
        )
        wraps = tuple(Wrap(globals_, name) for name in scope)
        wrapping = "\n".join(f'torch.fx.wrap("{name}")' for name in scope)
        change = f"{before}\n{wrapping}\n\n{new}" if before else new
        if imports:
            change = f"import torch  # at the top of the file\n\n{change}"
        return Draft(title, change, Attempt(edits=(edit,), wraps=wraps))


def leaf_change(test: str) -> str:
    """A tracer to paste that keeps the modules whole for which a test is true."""
    return (
        "class LeafTracer(torch.fx.Tracer):\n"
        "    def is_leaf_module(self, m, module_qualified_name):\n"
        f"        return {test} or super().is_leaf_module(m, module_qualified_name)\n\n"
        "graph = LeafTracer().trace(model)"
    )


def _executed(text: str, module: str) -> dict[str, Any]:
    """The functions that a piece of our own code defines in a module, whose name generated code calls them by."""
    if not text:
        return {}
    scope: dict[str, Any] = {"__name__": module}
    exec(compile(text, "<fxanchor recipe>", "exec"), scope)
    return {name: value for name, value in scope.items() if callable(value) and not name.startswith("__")}


def _called_as(caller: Crossing, callee: CodeType, locator: Locator) -> str:
    """The global name that a module-level function is called by, "" when it is not called so."""
    if "." in callee.co_qualname or callee.co_name.startswith("<"):
        return ""
    for node in locator.syntax(caller.site):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            value = caller.frame.f_globals.get(node.func.id)
            if getattr(value, "__code__", None) is callee:
                return node.func.id
    return ""


def _file(crossing: Crossing) -> str:
    return crossing.site.code.co_filename
