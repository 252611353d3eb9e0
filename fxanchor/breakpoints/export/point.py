"""The breakpoint that every export writes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fxanchor.breakpoints.proof import Proof


@dataclass(frozen=True, slots=True)
class Point:
    """A proven breakpoint on this machine.

    Attributes:
        path: Absolute path of the file.
        line: 1-based line.
        concept: What the table calls it.
        symbol: Qualified name of the function.
        hits: How many calls reached it in the run that proved it.
    """

    path: Path
    line: int
    concept: str
    symbol: str
    hits: int

    @property
    def text(self) -> str:
        """What it is, in words."""
        return f"{self.concept} ({self.symbol}), {self.hits} hit{'' if self.hits == 1 else 's'}"


def points_of(proofs: Sequence[Proof], site_root: Path) -> tuple[Point, ...]:
    """Return the proven breakpoints, each line once, in the order of the proofs.

    Args:
        proofs: What a run proved; only what was hit is handed over.
        site_root: Directory that the files of the stops are relative to.
    """
    points: dict[tuple[Path, int], Point] = {}
    for proof in proofs:
        if proof.kind != "hit":
            continue
        stop = proof.wanted.stop
        path = (site_root / stop.file).absolute()
        points.setdefault((path, stop.line), Point(path, stop.line, proof.wanted.concept, stop.symbol, proof.hits))
    return tuple(points.values())
