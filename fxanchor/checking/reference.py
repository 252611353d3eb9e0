"""The data classes of the checker: a text with its regions, a reference in it, and the verdict on it."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

RegionKind = Literal["prose", "span", "block"]
ReferenceKind = Literal["line", "name", "parameter", "section", "figure", "quote", "venue", "code"]
Verdict = Literal["right", "moved", "wrong", "cannot tell"]


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a text that is read in one way.

    Attributes:
        kind: Prose, a code span in prose, or a code block.
        start: Index of the first character.
        end: Index behind the last.
        language: Of a block, as its fence says, or "".
    """

    kind: RegionKind
    start: int
    end: int
    language: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A text to check.

    Attributes:
        path: The file as the user named it.
        content: All of it; positions are indices into it.
        plain: The same with markup blanked out, every character in its place.
        regions: What is prose and what is code, in order, without overlap.
        line_starts: Index at which each line begins.
    """

    path: str
    content: str
    plain: str
    regions: tuple[Region, ...]
    line_starts: tuple[int, ...]

    def position(self, index: int) -> tuple[int, int]:
        """Return the 1-based line and the 0-based column, in characters, of an index."""
        line = bisect_right(self.line_starts, index)
        return line, index - self.line_starts[line - 1]

    def of_kind(self, *kinds: RegionKind) -> tuple[Region, ...]:
        """Return the regions of these kinds."""
        return tuple(region for region in self.regions if region.kind in kinds)


@dataclass(frozen=True, slots=True)
class Reference:
    """A checkable statement and what became of it.

    Attributes:
        kind: What it speaks of.
        start: Index in the text of its first character.
        end: Index behind its last.
        target: What it points to, in the checker's words: `torch/fx/proxy.py:189-215 create_proxy`.
        verdict: Right, moved, wrong, or cannot tell.
        evidence: What was found, in words.
        suggestion: What to write instead, or "".
    """

    kind: ReferenceKind
    start: int
    end: int
    target: str
    verdict: Verdict
    evidence: str
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """A text and the verdicts on it, in the order of the text."""

    text: Text
    references: tuple[Reference, ...] = field(default=())


def covered_indices(references: Iterable[Reference]) -> frozenset[int]:
    """Return the indices of the text that lie in any of some references, code blocks left out."""
    return frozenset(at for one in references if one.kind != "code" for at in range(one.start, one.end))
