"""The silent wrongs of a model, as blockers that nothing raised."""

import ast
from collections.abc import Iterator
from types import CodeType

import torch
from torch import fx, nn

from fxanchor.model.blockers.attempt import Attempt
from fxanchor.model.blockers.control_flow import concrete_draft
from fxanchor.model.blockers.culprit import culprit
from fxanchor.model.blockers.definitions import attribute_cause, class_definitions
from fxanchor.model.blockers.patching import Edit
from fxanchor.model.blockers.trial import Trials
from fxanchor.model.positions import Locator, Site
from fxanchor.model.provenance import choose, trigger_of
from fxanchor.model.raised import summary
from fxanchor.model.report import Blocker, Recipe, Trigger
from fxanchor.model.rows import parameter_triggers
from fxanchor.model.silent.lines import Decision
from fxanchor.model.silent.watch import Watched, watch
from fxanchor.model.symbolic import Record

_MAX_FOUND = 60
_CONSTANT = (
    "This tensor is made once, during the trace, and is a constant of the graph: its size, type and device no longer "
    "follow the input or the model."
)


def find_silent(trials: Trials, attempt: Attempt, *, behind_others: bool) -> list[Blocker]:
    """Look for what a trace gets wrong without raising.

    Args:
        trials: Traces the model.
        attempt: How to trace it: plainly, or past its blockers.
        behind_others: Whether that is past its blockers.
    """
    watched = watch(trials, attempt)
    if watched is None:
        return []
    finder = _Finder(trials, attempt, watched, behind_others=behind_others)
    found = [
        *finder.decisions(),
        *finder.constants(),
        *finder.conversions(),
        *finder.lost(),
        *finder.hooks(),
        *finder.assignments(),
        *finder.writes(),
        *finder.swallowed(),
    ]
    unique = {(b.kind, b.file, b.line, b.col): b for b in reversed(found)}
    ordered = sorted(unique.values(), key=found.index)
    return ordered[:_MAX_FOUND]


class _Finder:
    """Turns what a watched trace showed into blockers."""

    def __init__(self, trials: Trials, attempt: Attempt, watched: Watched, *, behind_others: bool) -> None:
        self.trials = trials
        # Paths and buffers of the trace are those of what was traced.
        self.root = trials.root if attempt.substitute is None else attempt.substitute.make(trials.root)
        self.locator: Locator = trials.locator
        self.attempt = attempt
        self.behind_others = behind_others
        self.watched = watched

    def decisions(self) -> Iterator[Blocker]:
        """Branches on None, on types, on the training flag, and on chance."""
        for decision in self.watched.lines.decisions:
            where = self.locator.node(decision.code.co_filename, decision.node)
            if decision.kind == "none-branch":
                yield self._none_branch(decision, where)
            elif decision.kind == "isinstance-branch":
                yield silent(
                    "isinstance-branch",
                    where,
                    f"During symbolic tracing `{decision.subject}` is a Proxy and no torch.Tensor, so this is decided "
                    "the other way than in eager mode, and the graph keeps that branch.",
                )
            elif decision.kind == "training-baked":
                yield silent(
                    "training-baked",
                    where,
                    f"`{where.expression}` is read once, during the trace; calling .train() or .eval() on the graph "
                    "later does not change what was recorded.",
                )
            elif decision.kind == "constant-baked":
                yield silent("constant-baked", where, _CONSTANT)
            elif decision.kind == "custom-backward":
                yield silent(
                    "custom-backward",
                    where,
                    f"Only the forward of {decision.subject} is recorded, operation by operation; its own backward is "
                    "not in the graph.",
                )
            else:
                yield silent(
                    "random-baked",
                    where,
                    f"{decision.subject} is called once, during the trace, and its result is fixed in the graph.",
                )

    def _none_branch(self, decision: Decision, where: Trigger) -> Blocker:
        negated = isinstance(decision.node, ast.Compare) and isinstance(decision.node.ops[0], ast.IsNot)
        taken = "true" if negated else "false"
        cause = parameter_triggers(_code_of(self.root), self.locator).get(decision.subject)
        recipes: tuple[Recipe, ...] = ()
        if not decision.subject.startswith("*"):
            draft = concrete_draft(decision.subject, None)
            trial = self.trials.trace(self.attempt.plus(draft.attempt)) if draft.attempt else None
            if trial is not None and trial.error is None:
                count = len(trial.records)
                recipes = (Recipe(draft.title, draft.change, True, count, behind_others=self.behind_others),)
        if cause is not None and (cause.file, cause.line) == (where.file, where.line):
            cause = None
        return silent(
            "none-branch",
            where,
            f"A Proxy is never None, so this is always {taken} during symbolic tracing: the graph is that of a call "
            f"which gives `{decision.subject}`.",
            cause=cause,
            recipes=recipes,
        )

    def constants(self) -> Iterator[Blocker]:
        """Tensors that were made during the trace and are constants of the graph now."""
        for record in self.watched.run.records:
            value = self._constant(record)
            made = None if value is None else self.watched.tensors.made.get(id(value))
            where = None if made is None else trigger_of(made.sites, self.locator)
            if made is None or where is None:
                continue
            if made.random:
                why = "The random numbers are drawn once, during the trace; every call of the graph uses the same ones."
            else:
                why = _CONSTANT
            yield silent("random-baked" if made.random else "constant-baked", where, why)

    def _constant(self, record: Record) -> torch.Tensor | None:
        graph = self.watched.run.graph_module
        target = str(record.node.target)
        if record.node.op != "get_attr" or graph is None or not target.startswith("_tensor_constant"):
            return None
        value = getattr(graph, target, None)
        return value if isinstance(value, torch.Tensor) else None

    def conversions(self) -> Iterator[Blocker]:
        """Values of real tensors that decided something."""
        for one in self.watched.tensors.converted:
            node = culprit(one.site, self.locator)
            where = self._place(one.site, node)
            if where is None:
                continue
            if one.conversion == "__bool__":
                why = (
                    "This decides on the value of a real tensor of the model during the trace; the graph keeps the "
                    "branch that was right then."
                )
                yield silent("tensor-branch", where, why)
            else:
                yield silent(
                    "value-baked", where, "The value of a real tensor is read once, during the trace, and fixed."
                )

    def lost(self) -> Iterator[Blocker]:
        """Contexts and checkpoints that the graph has not."""
        why = {
            "context-lost": "The operations inside are recorded without this context; the graph runs them as if it "
            "were not there.",
            "checkpoint-lost": "The operations inside are recorded one by one; the graph does not checkpoint them.",
        }
        for kind, sites in self.watched.lost:
            site = choose(sites, self.locator.places)
            where = None if site is None else self._place(site, culprit(site, self.locator))
            if where is not None:
                yield silent(kind, where, why[kind])

    def hooks(self) -> Iterator[Blocker]:
        """Hooks of the root: its forward is called directly, so they do not run."""
        for table in ("_forward_hooks", "_forward_pre_hooks"):
            for hook in object.__getattribute__(self.root, "__dict__").get(table, {}).values():
                where = self._registration(hook)
                name = getattr(hook, "__qualname__", type(hook).__name__)
                if where is not None:
                    yield silent(
                        "hook-lost",
                        where,
                        f"Symbolic tracing calls forward of the root directly, so its hook {name} is not in the graph.",
                    )

    def _registration(self, hook: object) -> Trigger | None:
        """The call that registered a hook of the root in its class, else the definition of the hook."""
        for filename, definition in class_definitions(type(self.root), self.locator):
            for node in ast.walk(definition):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and "_hook" in node.func.attr:
                    return self.locator.node(filename, node)
        code = getattr(hook, "__code__", None)
        function = self.locator.sources.function(code) if isinstance(code, CodeType) else None
        if function is None or not isinstance(code, CodeType) or isinstance(function, ast.Lambda):
            return None
        return self.locator.node(code.co_filename, function.args.args[0]) if function.args.args else None

    def assignments(self) -> Iterator[Blocker]:
        """Attributes of modules that forward assigns."""
        for path, name in self.watched.run.changes.attributes:
            module = self.root.get_submodule(path) if path else self.root
            sites = self.watched.assigned.get((id(module), name), ())
            where = trigger_of(sites, self.locator) if sites else attribute_cause(module, name, self.locator)
            if where is not None:
                owner = type(module).__name__
                yield silent(
                    "attribute-assigned",
                    where,
                    f"forward changes `{name}` of {owner}. The change is not in the graph; a plain trace makes it "
                    "once, to the model itself, and may leave it holding a Proxy (here it was put back).",
                )

    def writes(self) -> Iterator[Blocker]:
        """Operations that write into a buffer or a constant: those of the graph, and those that ran for real."""
        names = {id(buffer): name for name, buffer in self.root.named_buffers()}
        for one in self.watched.tensors.written:
            place = trigger_of(one.sites, self.locator)
            if id(one.tensor) in names and place is not None:
                why = (
                    f"This writes into the buffer `{names[id(one.tensor)]}` with values that are no Proxies: it "
                    "happens once, during the trace, to the model itself (here it was put back), not in the graph."
                )
                yield silent("buffer-written", place, why)
        for record in self.watched.run.records:
            node = record.node
            written = node.args[0] if _writes(node) and node.args else None
            where = trigger_of(record.sites, self.locator)
            if not isinstance(written, fx.Node) or written.op != "get_attr" or where is None:
                continue
            if str(written.target).startswith("_tensor_constant"):
                why = (
                    "This writes into a tensor that was made once, during the trace, and that all calls of the graph "
                    "share: what one call writes, the next one sees."
                )
                yield silent("constant-written", where, why)
            else:
                yield silent(
                    "buffer-written", where, f"The graph writes into `{written.target}` of the model on every call."
                )

    def swallowed(self) -> Iterator[Blocker]:
        """Errors of the trace that the model caught."""
        if self.watched.run.error is not None:
            return
        seen: set[int] = set()
        for site, error in self.watched.swallowed:
            if id(error) in seen or self._is_ours(site):
                continue
            seen.add(id(error))
            where = self._place(site, culprit(site, self.locator))
            if where is not None:
                yield silent(
                    "error-swallowed",
                    where,
                    "This raised during the trace and the model caught it, so the graph is that of the fallback.",
                    message=summary(error),
                )

    def _is_ours(self, site: Site) -> bool:
        """Whether a site lies in an expression that was given a value, so that we caught what it raised."""
        span = self.locator.span(site)
        if span is None:
            return False
        places = [self.locator.characters(e.filename, *e.range) for e in self.attempt.edits if _in_file(e, site)]
        here = ((span.line, span.col), (span.end_line, span.end_col))
        return any((p.line, p.col) <= here[0] and here[1] <= (p.end_line, p.end_col) for p in places)

    def _place(self, site: Site, node: ast.expr | ast.stmt | None) -> Trigger | None:
        if choose([site], self.locator.places) is None:
            return None
        return self.locator.trigger(site) if node is None else self.locator.node(site.code.co_filename, node)


def silent(
    kind: str,
    where: Trigger,
    explanation: str,
    *,
    cause: Trigger | None = None,
    recipes: tuple[Recipe, ...] = (),
    message: str = "",
) -> Blocker:
    """A blocker that nothing raised."""
    return Blocker(
        kind=kind,
        file=where.file,
        line=where.line,
        col=where.col,
        end_col=where.end_col,
        expression=where.expression,
        message=message,
        raised_at=None,
        explanation=explanation,
        cause=cause,
        recipes=recipes,
        silent=True,
    )


def _in_file(edit: Edit, site: Site) -> bool:
    return edit.filename == site.code.co_filename


def _writes(node: fx.Node) -> bool:
    if node.op == "call_method":
        name = str(node.target)
        return name == "__setitem__" or (name.endswith("_") and not name.endswith("__"))
    if node.op != "call_function":
        return False
    name = getattr(node.target, "__name__", "")
    return name == "setitem" or (name.startswith("i") and name in _IN_PLACE)


_IN_PLACE = frozenset({"iadd", "isub", "imul", "itruediv", "ifloordiv", "imatmul", "iand", "ior", "ixor", "ipow"})


def _code_of(root: nn.Module) -> CodeType | None:
    from fxanchor.model.symbolic import forward_code

    return forward_code(root)
