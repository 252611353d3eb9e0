"""From the frames on the stack to the expressions of the user's code that led there."""

import ast
import re
from collections.abc import Sequence
from types import CodeType, FrameType

from fxanchor.model.places import Owner, Places
from fxanchor.model.positions import Locator, Site
from fxanchor.model.report import Trigger

# The innermost first: one entry for each frame that is the user's or a library's.
Sites = tuple[Site, ...]


class FrameWalker:
    """Collects the frames outside torch and this program; made to be called once for every node."""

    def __init__(self, places: Places, stops: Sequence[CodeType]) -> None:
        """Take the codes at whose frames a walk ends."""
        self._places = places
        # Keyed by identity: hashing a code object hashes all its constants. The objects are kept, so ids stay theirs.
        self._stops = frozenset(id(code) for code in stops)
        self._interesting: dict[int, bool] = dict.fromkeys(self._stops, False)
        self._kept: list[CodeType] = list(stops)

    def walk(self, frame: FrameType | None) -> Sites:
        """The sites from this frame outwards, up to the frame where a walk ends."""
        found: list[Site] = []
        interesting, stops = self._interesting, self._stops
        while frame is not None:
            code = frame.f_code
            key = id(code)
            wanted = interesting.get(key)
            if wanted is None:
                wanted = self._learn(code)
            if wanted:
                found.append(Site(code, frame.f_lasti))
            elif key in stops:
                break
            frame = frame.f_back
        return tuple(found)

    def _learn(self, code: CodeType) -> bool:
        self._kept.append(code)
        wanted = self._interesting[id(code)] = self._places.owner_of(code) is not Owner.MACHINERY
        return wanted


def choose(sites: Sequence[Site], places: Places) -> Site | None:
    """The site to blame: the innermost of the user's, else the innermost of a library's."""
    for site in sites:
        if places.owner_of(site.code) is Owner.USER:
            return site
    return sites[0] if sites else None


def trigger_of(sites: Sequence[Site], locator: Locator) -> Trigger | None:
    """The expression to blame for what happened at these sites."""
    site = choose(sites, locator.places)
    return None if site is None else locator.trigger(site)


def stack_of(sites: Sequence[Site], locator: Locator) -> tuple[Trigger, ...]:
    """The expressions from the outermost frame to the innermost, libraries included."""
    found = (locator.trigger(site) for site in reversed(sites))
    return tuple(trigger for trigger in found if trigger is not None)


def trigger_at(frame: FrameType | None, locator: Locator) -> Trigger | None:
    """The expression of the user's that led to a running frame, or None when there is none on its stack."""
    found: list[Site] = []
    placeholder: Trigger | None = None
    while frame is not None:
        if locator.places.owner_of(frame.f_code) is not Owner.MACHINERY:
            found.append(Site(frame.f_code, frame.f_lasti))
        elif frame.f_code.co_qualname == "Tracer._proxy_placeholder":
            placeholder = _parameter_at(frame, locator)
        frame = frame.f_back
    return placeholder or trigger_of(found, locator)


def trigger_in_text(stack_trace: str, locator: Locator) -> Trigger | None:
    """The line to blame by a stack trace in Python's own format, which knows no columns: the innermost of the user's.

    Args:
        stack_trace: Lines such as `File "net.py", line 3, in forward`, the outermost first.
        locator: Finds positions.
    """
    places = [(match[1], int(match[2])) for match in re.finditer(r'File "([^"]+)", line (\d+), in ', stack_trace)]
    owned = [(locator.places.owner(file), file, line) for file, line in places]
    for owner in (Owner.USER, Owner.LIBRARY):
        for found, file, line in reversed(owned):
            if found is owner:
                return locator.line(file, line)
    return None


def _parameter_at(frame: FrameType, locator: Locator) -> Trigger | None:
    """The parameter of forward that the tracer is making a placeholder of."""
    code = getattr(frame.f_locals.get("fn_for_analysis"), "__code__", None)
    name = str(frame.f_locals.get("name", "")).lstrip("*")
    if not isinstance(code, CodeType) or locator.places.owner_of(code) is Owner.MACHINERY:
        return None
    definition = locator.sources.function(code)
    for argument in ast.walk(definition.args) if definition is not None else ():
        if isinstance(argument, ast.arg) and argument.arg == name:
            return locator.node(code.co_filename, argument)
    return None
