"""Watch a pass at work: which of its lines makes, copies or changes which node."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType, TracebackType
from typing import ParamSpec

from torch import fx

from fxanchor.model.places import Owner, Places
from fxanchor.model.positions import Site
from fxanchor.model.replacing import replaced

P = ParamSpec("P")
_WATCHED = frozenset({"op", "target", "args", "kwargs"})


@dataclass(slots=True)
class Watch:
    """What was seen while a pass ran.

    Attributes:
        places: Whose files are whose.
        until: The code that runs the pass.
        made: For each node that was made: the line of the pass, where there is one.
        changed: For each node that was assigned to: the last line of the pass that did.
        copied: For each node that was made from another, by copying or interpreting it: that one.
        replaced: For each node that took the place of another: that one.
        current: The node that an Interpreter or Transformer was at.
    """

    places: Places
    until: CodeType
    made: dict[fx.Node, Site] = field(default_factory=dict)
    changed: dict[fx.Node, Site] = field(default_factory=dict)
    copied: dict[fx.Node, fx.Node] = field(default_factory=dict)
    replaced: dict[fx.Node, fx.Node] = field(default_factory=dict)
    current: fx.Node | None = None

    def site(self, frame: FrameType | None) -> Site | None:
        """Return where the pass stands, from a frame outwards."""
        while frame is not None and frame.f_code is not self.until:
            if self.places.owner_of(frame.f_code) is Owner.USER:
                return Site(frame.f_code, frame.f_lasti)
            frame = frame.f_back
        return None

    def copy_of(self, node: fx.Node, known: Callable[[fx.Node], bool]) -> fx.Node | None:
        """Return the known node that this one is a copy of, over as many copies as there are."""
        seen: set[fx.Node] = set()
        while node not in seen and not known(node):
            seen.add(node)
            node = self.copied.get(node, node)
        return node if known(node) else None

    def origin(self, node: fx.Node, known: Callable[[fx.Node], bool]) -> fx.Node | None:
        """Return the known node that this one is a copy of or took the place of."""
        seen: set[fx.Node] = set()
        pending = [node]
        while pending:
            node = pending.pop()
            if known(node):
                return node
            if node not in seen:
                seen.add(node)
                pending += [each[node] for each in (self.replaced, self.copied) if node in each]
        return None

    def last_frame(self, error: BaseException) -> FrameType | None:
        """Return the innermost frame of the pass that an exception came through, as it was then."""
        found, link, inside = None, error.__traceback__, False
        while link is not None:
            inside = inside or link.tb_frame.f_code is self.until
            if inside and self.places.owner_of(link.tb_frame.f_code) is Owner.USER:
                found = link.tb_frame
            link = link.tb_next
        return found


def raised_at(error: BaseException, frame: FrameType) -> Site:
    """Return where in a frame an exception passed through it."""
    link: TracebackType | None = error.__traceback__
    lasti = frame.f_lasti
    while link is not None:
        if link.tb_frame is frame:
            lasti = link.tb_lasti
        link = link.tb_next
    return Site(frame.f_code, lasti)


@contextmanager
def watching(places: Places, until: CodeType) -> Iterator[Watch]:
    """Watch graphs being edited while the block runs.

    Args:
        places: Whose files are whose.
        until: The code that runs the pass: what called it is not looked at.
    """
    watch = Watch(places, until)
    with ExitStack() as stack:
        for owner, name, wrap in (
            (fx.Graph, "create_node", _creating),
            (fx.Graph, "node_copy", _copying),
            (fx.Interpreter, "run_node", _running),
            (fx.Node, "replace_all_uses_with", _replacing),
        ):
            stack.enter_context(replaced(owner, name, wrap(watch, getattr(owner, name))))
        if "__setattr__" in vars(fx.Node):
            stack.enter_context(replaced(fx.Node, "__setattr__", _assigning(watch, fx.Node.__setattr__)))
        yield watch


def _creating(watch: Watch, original: Callable[P, fx.Node]) -> Callable[P, fx.Node]:
    def create_node(*args: P.args, **kwargs: P.kwargs) -> fx.Node:
        node = original(*args, **kwargs)
        if site := watch.site(sys._getframe(1)):
            watch.made[node] = site
        if watch.current is not None and watch.current is not node:
            watch.copied.setdefault(node, watch.current)
        return node

    return create_node


def _copying(watch: Watch, original: Callable[..., fx.Node]) -> Callable[..., fx.Node]:
    def node_copy(self: fx.Graph, node: fx.Node, *args: object, **kwargs: object) -> fx.Node:
        copied = original(self, node, *args, **kwargs)
        watch.copied[copied] = node
        return copied

    return node_copy


def _running(watch: Watch, original: Callable[..., object]) -> Callable[..., object]:
    def run_node(self: fx.Interpreter, n: fx.Node) -> object:
        watch.current = n
        result = original(self, n)
        watch.current = None
        return result

    return run_node


def _replacing(watch: Watch, original: Callable[..., object]) -> Callable[..., object]:
    def replace_all_uses_with(self: fx.Node, replace_with: fx.Node, *args: object, **kwargs: object) -> object:
        if replace_with is not self:
            watch.replaced[replace_with] = self
        return original(self, replace_with, *args, **kwargs)

    return replace_all_uses_with


def _assigning(watch: Watch, original: Callable[..., None]) -> Callable[..., None]:
    def __setattr__(self: fx.Node, name: str, value: object) -> None:  # noqa: N807
        original(self, name, value)
        if name in _WATCHED and (site := watch.site(sys._getframe(1))):
            watch.changed[self] = site

    return __setattr__
