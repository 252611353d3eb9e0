"""Which captured node each stop is about: what is made while the stopped function runs, or next after it."""

from collections.abc import Sequence
from types import CodeType, FrameType


class Moment:
    """One call of a wanted function, at the stop in it.

    Attributes:
        during: Names of the nodes made while the call ran, also before the stop; shared by all stops of the call.
        outer: The same of the closest wanted call around this one.
        after: Name of the first node made after the stop, or "".
    """

    __slots__ = ("after", "during", "outer")

    def __init__(self, during: list[str], outer: list[str]) -> None:
        self.during = during
        self.outer = outer
        self.after = ""

    @property
    def nodes(self) -> tuple[str, ...]:
        """The nodes that the stop is about."""
        return tuple(self.during) or ((self.after,) if self.after else ())


class Moments:
    """Follows calls and nodes as they are made, and ties each stop to its nodes."""

    def __init__(self) -> None:
        # By address of the frame; the code tells a frame from a later one at the same address.
        self._calls: dict[int, tuple[CodeType, list[str]]] = {}
        self._waiting: list[Moment] = []
        self._made = 0

    def called(self, frame: FrameType) -> None:
        """Take note that a wanted function begins."""
        self._calls.pop(id(frame), None)

    def stopped(self, frame: FrameType) -> Moment:
        """Return the moment of a stop in `frame`; its nodes become known as the run goes on."""
        call = self._calls.get(id(frame))
        if call is None:
            call = self._calls[id(frame)] = (frame.f_code, [])
        moment = Moment(call[1], self._around(frame))
        self._waiting.append(moment)
        return moment

    def made(self, name: str, frame: FrameType | None) -> None:
        """Take note of a new node.

        Args:
            name: Its name in the graph.
            frame: The frame that made it; every call on the stack of this frame is about it.
        """
        self._made += 1
        for moment in self._waiting:
            moment.after = name
        self._waiting.clear()
        while frame is not None:
            call = self._calls.get(id(frame))
            if call is not None and call[0] is frame.f_code:
                call[1].append(name)
            frame = frame.f_back

    def made_by(self, moment: Moment) -> tuple[str, ...]:
        """Return the nodes whose making led to a stop, or none when it was not the making of a node that did.

        A call during which the whole graph is made was not led to by any node.
        """
        names = moment.during or moment.outer
        return tuple(names) if len(names) < self._made else ()

    def _around(self, frame: FrameType) -> list[str]:
        outer = frame.f_back
        while outer is not None:
            call = self._calls.get(id(outer))
            if call is not None and call[0] is outer.f_code:
                return call[1]
            outer = outer.f_back
        return []


def about(moments: Sequence[Moment], nodes: frozenset[str]) -> tuple[int, ...]:
    """Return which of the moments are about one of the nodes, the closest ones for each node.

    A function that is called for a whole module is about all the nodes of the module; the call that is about the
    fewest is the one a person means.

    Args:
        moments: The moments of one stop, in the order of the run.
        nodes: Names of the nodes.

    Returns:
        Indexes into `moments`, in order.
    """
    chosen: set[int] = set()
    for node in nodes:
        near = [(len(moment.during), index) for index, moment in enumerate(moments) if node in moment.during]
        if near:
            least = min(size for size, _ in near)
            chosen.update(index for size, index in near if size == least)
        else:
            # Of what happened on the way to a node, the last is the closest.
            chosen.update([index for index, moment in enumerate(moments) if node == moment.after][-1:])
    return tuple(sorted(chosen))
