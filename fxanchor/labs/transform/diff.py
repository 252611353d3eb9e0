"""Compare a graph before and after a pass: which nodes are the same, and what became of each."""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from torch import fx
from torch.fx.node import map_arg

from fxanchor.labs.transform.report import Change
from fxanchor.labs.transform.watch import Watch
from fxanchor.model.positions import Locator, Site
from fxanchor.model.raised import repr_of
from fxanchor.model.report import Trigger


@dataclass(frozen=True, slots=True)
class View:
    """A node as it was at one time: nodes are edited in place, so what they were must be kept."""

    node: fx.Node
    name: str
    op: str
    target: Any
    arguments: str
    text: str


class _Reference:
    """Stands for a node among arguments, and is written as the name it is known by."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


def view_graph(graph: fx.Graph) -> tuple[View, ...]:
    """Return the nodes of a graph as they are now."""
    return tuple(
        View(node, node.name, node.op, node.target, _arguments(node, {}), one_line(node)) for node in graph.nodes
    )


def one_line(node: fx.Node) -> str:
    """Return a node as torch prints it, or by its name when what a pass put into it cannot be printed."""
    try:
        return str(node.format_node() or node)
    except (Exception, SystemExit):
        return f"%{node.name} : [{node.op}]"


def match_nodes(before: tuple[View, ...], after: tuple[View, ...], watch: Watch) -> dict[fx.Node, View]:
    """Return for each node after a pass the node before it that it is, or was made to be.

    A node is the same object, or was copied or interpreted from one before; what is left (a graph that was traced
    anew) is aligned in order by opcode and target. Each node before is given once.

    Args:
        before: The graph before.
        after: The graph after.
        watch: What was seen of the pass.
    """
    old = {view.node: view for view in before}
    found: dict[fx.Node, View] = {view.node: old[view.node] for view in after if view.node in old}
    taken = {view.node for view in found.values()}
    candidates: dict[fx.Node, list[View]] = {}
    for view in after:
        origin = None if view.node in found else watch.copy_of(view.node, old.__contains__)
        if origin is not None and origin not in taken:
            candidates.setdefault(origin, []).append(view)
    for origin, views in candidates.items():
        same = [view for view in views if (view.op, view.target) == (old[origin].op, old[origin].target)]
        found[(same or views)[-1].node] = old[origin]
        taken.add(origin)
    left = [view for view in before if view.node not in taken]
    right = [view for view in after if view.node not in found and not _explained(view.node, old, watch)]
    matcher = difflib.SequenceMatcher(None, [_key(view) for view in left], [_key(view) for view in right], False)
    for block in matcher.get_matching_blocks():
        for offset in range(block.size):
            found[right[block.b + offset].node] = left[block.a + offset]
    return found


def changes(
    before: tuple[View, ...],
    after: tuple[View, ...],
    matched: Mapping[fx.Node, View],
    *,
    triggers: Mapping[fx.Node, Trigger],
    watch: Watch,
    locator: Locator,
) -> Iterator[Change]:
    """Give what a pass did to each node, those removed last.

    Args:
        before: The graph before.
        after: The graph after.
        matched: From `match_nodes`.
        triggers: For nodes before and after, the user's expression.
        watch: What was seen of the pass.
        locator: Finds the expressions of the pass.
    """

    def place(site: Site | None) -> Trigger | None:
        return None if site is None else locator.trigger(site)

    names = {node: view.name for node, view in matched.items()}
    moved = _moved(before, after, matched)
    for view in after:
        node, trigger = view.node, triggers.get(view.node)
        made_at = place(watch.changed.get(node) or watch.made.get(node))
        was = matched.get(node)
        if was is None:
            yield Change("added", view.name, "", view.text, trigger, made_at)
        elif (was.op, was.target) != (view.op, view.target):
            yield Change("retargeted", view.name, was.text, view.text, trigger, made_at)
        elif was.arguments != _arguments(node, names):
            yield Change("rewired", view.name, was.text, view.text, trigger, made_at)
        elif node in moved:
            yield Change("moved", view.name, was.text, view.text, trigger, made_at)
    kept = {view.node for view in matched.values()}
    for view in before:
        if view.node not in kept:
            yield Change("removed", view.name, view.text, "", triggers.get(view.node), None)


def _moved(before: tuple[View, ...], after: tuple[View, ...], matched: Mapping[fx.Node, View]) -> set[fx.Node]:
    """Return the nodes that stand elsewhere among those that are on both sides."""
    kept = {view.node for view in matched.values()}
    old = [view.name for view in before if view.node in kept]
    new = [view.node for view in after if view.node in matched]
    blocks = difflib.SequenceMatcher(None, old, [matched[node].name for node in new], False).get_matching_blocks()
    return set(new) - {new[block.b + offset] for block in blocks for offset in range(block.size)}


def _arguments(node: fx.Node, names: Mapping[fx.Node, str]) -> str:
    """Return the arguments as text, other nodes by the names given or, with a mark, by their own when not given."""

    def reference(other: fx.Node) -> Any:  # noqa: ANN401 - map_arg takes it for another argument
        return _Reference(names.get(other, f"+{other.name}") if names else other.name)

    return repr_of((map_arg(node.args, reference), map_arg(node.kwargs, reference)))


def _explained(node: fx.Node, old: Mapping[fx.Node, View], watch: Watch) -> bool:
    """Tell whether it is known where a node comes from, so that likeness need not decide."""
    return node in watch.replaced or watch.copy_of(node, old.__contains__) is not None


def _key(view: View) -> tuple[str, str]:
    return view.op, view.target if isinstance(view.target, str) else repr_of(view.target)
