"""Where an exception stopped a trace: the user's expression, its frame, and who raised."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

from fxanchor.model.blockers.culprit import culprit
from fxanchor.model.blockers.raiser import raised_by
from fxanchor.model.places import Owner
from fxanchor.model.positions import Locator, Site
from fxanchor.model.provenance import choose
from fxanchor.model.raised import summary
from fxanchor.model.report import RaisedAt, Trigger

_MAX_FRAMES = 2000


@dataclass(frozen=True, slots=True)
class Crossing:
    """One frame that an exception went through."""

    site: Site
    frame: FrameType

    @property
    def locals(self) -> Mapping[str, Any]:
        """The local variables of the frame."""
        return self.frame.f_locals


@dataclass(frozen=True, slots=True)
class Stop:
    """Where and how a trace stopped.

    Attributes:
        error: The exception.
        crossings: The frames it went through, the outermost first.
        at: The frame to look at: the innermost of the user's, else of a library's; None when there is none.
        node: The syntax node to look at.
        trigger: The same as a trigger.
        raised_at: Who raised.
    """

    error: BaseException
    crossings: tuple[Crossing, ...]
    at: Crossing | None
    node: ast.expr | ast.stmt | None
    trigger: Trigger | None
    raised_at: RaisedAt

    @property
    def message(self) -> str:
        """The type and the message of the exception on one line."""
        return summary(self.error)

    @property
    def filename(self) -> str:
        """The file of the frame to look at, as its code object names it; "" when there is none."""
        return "" if self.at is None else self.at.site.code.co_filename

    @property
    def last(self) -> Crossing | None:
        """The frame that the exception came from."""
        return self.crossings[-1] if self.crossings else None

    def passed_through(self, *codes: CodeType) -> Crossing | None:
        """The innermost frame of one of these codes that the exception went through."""
        return next((c for c in reversed(self.crossings) if any(c.site.code is code for code in codes)), None)

    def inside(self, part: str) -> Crossing | None:
        """The innermost frame in a file whose name holds this."""
        names = ((c, c.site.code.co_filename.replace("\\", "/")) for c in reversed(self.crossings))
        return next((c for c, name in names if part in name), None)

    def inside_package(self, package: str) -> Crossing | None:
        """The innermost frame of a package."""
        modules = ((c, str(c.frame.f_globals.get("__name__", ""))) for c in reversed(self.crossings))
        return next((c for c, name in modules if name == package or name.startswith(package + ".")), None)


def stop_of(error: BaseException, locator: Locator) -> Stop:
    """Find where an exception stopped a trace."""
    crossings = crossings_of(error)
    sites = [crossing.site for crossing in reversed(crossings)]
    interesting = [site for site in sites if locator.places.owner_of(site.code) is not Owner.MACHINERY]
    chosen = choose(interesting, locator.places)
    at = next((crossing for crossing in reversed(crossings) if crossing.site is chosen), None)
    node = None if chosen is None else culprit(chosen, locator)
    trigger = None
    if chosen is not None:
        trigger = locator.trigger(chosen) if node is None else locator.node(chosen.code.co_filename, node)
    return Stop(error, crossings, at, node, trigger, raised_by(crossings[-1].site, crossings[-1].frame, error, locator))


def crossings_of(error: BaseException) -> tuple[Crossing, ...]:
    """The frames an exception went through, the outermost first, without this program's own."""
    found: list[Crossing] = []
    step = error.__traceback__
    while step is not None and len(found) < _MAX_FRAMES:
        found.append(Crossing(Site(step.tb_frame.f_code, step.tb_lasti), step.tb_frame))
        step = step.tb_next
    return tuple(found)
