"""The data classes of a proven breakpoint."""

from dataclasses import dataclass
from typing import Literal

from fxanchor.model.report import Trigger
from fxanchor.source.definition import Stop

ProofKind = Literal["hit", "not reached", "not executable", "not watched"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A breakpoint to prove.

    Attributes:
        concept: How the table calls it, such as `proxy creation`.
        stop: The line.
        watches: Expressions to look at on the first hit.
        unreached: Why a run may never come here, in words; "" when not known.
        key: Whether it is one of the few that show the whole way (entry, proxy creation, node creation).
    """

    concept: str
    stop: Stop
    watches: tuple[str, ...] = ()
    unreached: str = ""
    key: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """What a watch expression was on the first hit."""

    expression: str
    value: str


@dataclass(frozen=True, slots=True)
class Proof:
    """What a real run did with a breakpoint.

    Attributes:
        wanted: The breakpoint.
        kind: `hit`, `not reached`, `not executable` when no Python line can be stopped on, or `not watched` when
            nothing was seen there and nothing could be seen all the time.
        hits: Number of calls (by frame) that reached the line.
        stops: Number of times the line was reached.
        watch: Values on the first hit.
        first_trigger: The user's expression that led to the first hit, or None.
        reason: For every other kind than `hit`: why, in words.
    """

    wanted: Wanted
    kind: ProofKind
    hits: int
    stops: int
    watch: tuple[Seen, ...]
    first_trigger: Trigger | None
    reason: str = ""
