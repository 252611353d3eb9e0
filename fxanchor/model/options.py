"""What a capture is asked to do."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fxanchor.model.report import Rung

RUNGS: tuple[Rung, ...] = ("symbolic_trace", "export", "eager")


@dataclass(frozen=True, slots=True)
class CaptureOptions:
    """What a capture is asked to do.

    Attributes:
        rung: The one rung to use, or None to go down the ladder until one captures the model.
        only_fx: Whether to stop after `symbolic_trace`.
        concrete_args: Arguments of forward that `symbolic_trace` takes as constants.
        diagnose: Whether to look for every blocker and every silent wrong, which takes more traces.
        compare: Whether to run the captured graph against the model when there are inputs.
        seconds: How long the diagnosis may take, in seconds.
        rung_seconds: How long one rung may take, in seconds.
        max_blockers: How many blockers are looked for.
    """

    rung: Rung | None = None
    only_fx: bool = False
    concrete_args: Mapping[str, Any] | None = None
    diagnose: bool = True
    compare: bool = True
    seconds: float = 60.0
    rung_seconds: float = 180.0
    max_blockers: int = 20

    def rungs(self) -> tuple[Rung, ...]:
        """The rungs to try, in order."""
        if self.rung is not None:
            return (self.rung,)
        return RUNGS[:1] if self.only_fx else RUNGS
