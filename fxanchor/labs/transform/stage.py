"""Run one pass and tell all it did: to the graph, the code, the weights, the results, and to what it was given."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from torch import fx

from fxanchor.labs.transform.diff import View, changes, match_nodes, one_line, view_graph
from fxanchor.labs.transform.numbers import Inputs, compare_results, run_module, unharmed
from fxanchor.labs.transform.passes import Pass
from fxanchor.labs.transform.report import Comparison, Failure, InPlace, Stage
from fxanchor.labs.transform.state import State, state_changes
from fxanchor.labs.transform.watch import Watch, raised_at, watching
from fxanchor.model.places import Places
from fxanchor.model.positions import Locator
from fxanchor.model.raised import summary
from fxanchor.model.report import Trigger
from fxanchor.model.sources import Sources

Triggers = dict[fx.Node, Trigger]


@dataclass(frozen=True, slots=True)
class Check:
    """What the results of a stage are compared with.

    Attributes:
        inputs: What both are called with.
        expected: What the model returned.
        tolerance: See `compare_results`.
    """

    inputs: Inputs
    expected: object
    tolerance: float


def run_stage(
    step: Pass, gm: fx.GraphModule, triggers: Triggers, check: Check | None
) -> tuple[Stage, fx.GraphModule | None, Triggers]:
    """Run one pass.

    Args:
        step: The pass.
        gm: Its input.
        triggers: For each node of the input the user's expression.
        check: How to check the results, or None.

    Returns:
        What it did, the module it made (None when it broke), and the triggers of that module's nodes.
    """
    before, state, code = view_graph(gm.graph), State.of(gm), gm.code
    places = Places([step.file])
    locator = Locator(places, Sources())
    stage = Stage(step.name, step.kind, nodes_before=len(before), code_before=code)
    failure: Failure | None = None
    with watching(places, run_stage.__code__) as watch:
        try:
            made = step.run(gm)
        except (Exception, SystemExit) as error:
            made, failure = gm, _failure(error, watch, triggers, locator)
    # What a pass that broke had done to its input by then is looked at in the same way.
    after = view_graph(made.graph)
    matched = match_nodes(before, after, watch)
    found = _carry(after, matched, triggers, watch)
    reread = triggers | found
    stage = replace(
        stage,
        failure=failure,
        changes=tuple(changes(before, after, matched, triggers=reread, watch=watch, locator=locator)),
        in_place=_in_place(made is gm, _edited(gm, before, state, code)),
    )
    if failure is not None:
        return stage, None, {}
    stage = replace(
        stage,
        nodes_after=len(after),
        code_after=made.code,
        stale=_is_stale(made),
        lint=_lint(made),
        dead=tuple(view.name for view in after if _is_dead(view.node)),
        state=tuple(state_changes(state, State.of(made))),
    )
    if check is not None:
        comparison, failure = _compare(made, check, found, watch, locator)
        stage = replace(stage, comparison=comparison, failure=failure)
    return stage, made, found


def _carry(
    after: tuple[View, ...], matched: Mapping[fx.Node, View], triggers: Mapping[fx.Node, Trigger], watch: Watch
) -> Triggers:
    """Return the user's expressions of the nodes after a pass; an added node has that of the one it was made from."""
    found: Triggers = {}
    for view in after:
        source = matched[view.node].node if view.node in matched else watch.origin(view.node, triggers.__contains__)
        if source is not None and source in triggers:
            found[view.node] = triggers[source]
    return found


def _failure(error: BaseException, watch: Watch, triggers: Mapping[fx.Node, Trigger], locator: Locator) -> Failure:
    """Tell where a pass broke: its innermost line, and the node that it or the Transformer was at."""
    frame = watch.last_frame(error)
    node = watch.current
    at = None
    if frame is not None:
        at = locator.trigger(raised_at(error, frame))
        held = [value for value in frame.f_locals.values() if isinstance(value, fx.Node)]
        # A loop over nodes binds its variable first; what the loop makes of it comes later.
        node = node or next((each for each in held if each in triggers), next(iter(held), None))
    return Failure("running the pass", summary(error), *_described(node, triggers, watch), at)


def _described(node: fx.Node | None, triggers: Mapping[fx.Node, Trigger], watch: Watch) -> tuple[str, Trigger | None]:
    if node is None:
        return "", None
    origin = watch.origin(node, triggers.__contains__)
    return one_line(node), triggers[origin] if origin is not None else None


def _edited(gm: fx.GraphModule, before: tuple[View, ...], state: State, code: str) -> bool:
    """Tell whether a module is not what it was."""
    now = view_graph(gm.graph)
    if gm.code != code or len(now) != len(before):
        return True
    if any(
        (a.node, a.op, a.target, a.arguments) != (b.node, b.op, b.target, b.arguments)
        for a, b in zip(now, before, strict=True)
    ):
        return True
    return any(True for _ in state_changes(state, State.of(gm)))


def _in_place(returned_input: bool, edited: bool) -> InPlace:
    if returned_input:
        return "input edited in place" if edited else "input as it was"
    return "new module, and the input edited too" if edited else "new module, input as it was"


def _is_stale(gm: fx.GraphModule) -> bool:
    """Tell whether the code that runs is not that of the graph."""
    try:
        return bool(gm.graph.python_code("self").src != gm.code)
    except (Exception, SystemExit):
        return True


def _lint(gm: fx.GraphModule) -> str:
    try:
        gm.graph.lint()
    except (Exception, SystemExit) as error:
        return summary(error)
    return ""


def _is_dead(node: fx.Node) -> bool:
    return not node.users and node.op not in ("placeholder", "output") and not node.is_impure()


def _compare(
    made: fx.GraphModule,
    check: Check,
    triggers: Triggers,
    watch: Watch,
    locator: Locator,
) -> tuple[Comparison | None, Failure | None]:
    try:
        result = run_module(made, check.inputs)
    except (Exception, SystemExit) as error:
        node = _breaking_node(made, check.inputs)
        site = watch.changed.get(node) or watch.made.get(node) if node is not None else None
        where = locator.trigger(site) if site is not None else None
        text = one_line(node) if node is not None else ""
        trigger = triggers.get(node) if node is not None else None
        return None, Failure("running the module it made", summary(error), text, trigger, where)
    return compare_results(check.expected, result, check.tolerance), None


def _breaking_node(made: fx.GraphModule, inputs: Inputs) -> fx.Node | None:
    """Run the graph node by node to find the one that raises."""
    interpreter = _Stopping(made)
    try:
        with unharmed(made, inputs) as (args, kwargs):
            interpreter.run(*args, *kwargs.values())
    except (Exception, SystemExit):
        return interpreter.at
    return None


class _Stopping(fx.Interpreter):
    """An interpreter that remembers where it is."""

    at: fx.Node | None = None

    def run_node(self, n: fx.Node) -> object:
        self.at = n
        return super().run_node(n)
