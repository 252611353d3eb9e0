"""The data classes of a paper's listing, from what it says to what came of running it."""

from dataclasses import dataclass
from typing import Literal

Status = Literal["same", "different", "ran", "raised", "skipped", "not run"]
LineKind = Literal["same", "elided", "address", "blanks", "different"]


@dataclass(frozen=True, slots=True)
class Step:
    """A part of a listing that runs before something it prints is compared.

    Attributes:
        code: Python.
        line: 1-based line of the listing on which the code begins.
        expected: What the paper says it prints, or None when the paper does not say.
        interactive: Whether it was typed at a prompt, where the value of an expression is shown.
    """

    code: str
    line: int
    expected: str | None
    interactive: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """A listing of a paper.

    Attributes:
        name: `Figure 3`; `listing on page 4` where the paper has no label for it. No two have the same.
        page: 1-based page.
        section: Section it stands in.
        text: Its text.
        steps: The Python in it, in order; empty when it is no Python.
        skipped: Why it is no Python, "" when it is.
    """

    name: str
    page: int
    section: str
    text: str
    steps: tuple[Step, ...]
    skipped: str = ""

    @property
    def code(self) -> str:
        """All its Python."""
        return "\n".join(step.code for step in self.steps)


@dataclass(frozen=True, slots=True)
class Plan:
    """What must run so that a listing can.

    Attributes:
        listing: The listing.
        imports: Import statements that the listing leaves out.
        before: Names of the listings that it continues, in the order in which they run.
        notes: Where the imports come from, one sentence each.
        unknown: Names that it uses and that nothing before it defines.
    """

    listing: Listing
    imports: tuple[str, ...]
    before: tuple[str, ...]
    notes: tuple[str, ...]
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a comparison.

    Attributes:
        kind: `same`; `elided` when the paper writes `...` for a part; `address` when a memory address differs;
            `blanks` when only the number of blanks differs, which a PDF does not keep; else `different`.
        paper: The paper's line, None when only this run printed one.
        here: This run's line, None when only the paper has one.
    """

    kind: LineKind
    paper: str | None
    here: str | None


@dataclass(frozen=True, slots=True)
class ListingResult:
    """What came of a listing.

    Attributes:
        plan: The listing and what ran before it.
        status: `same` and `different` speak of what the paper prints; `ran` when it prints nothing to compare with.
        comparisons: For each printed block of the paper, the lines.
        printed: What was printed where the paper has no block.
        error: For `raised`: what, in which line of the listing.
    """

    plan: Plan
    status: Status
    comparisons: tuple[tuple[Line, ...], ...] = ()
    printed: str = ""
    error: str = ""
