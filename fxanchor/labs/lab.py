"""The data classes of a lab: the statement under test, and what came out when it was tried."""

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["holds", "does not hold", "changed since", "not applicable"]
VERDICTS: tuple[Verdict, ...] = ("holds", "does not hold", "changed since", "not applicable")


@dataclass(frozen=True, slots=True)
class Lab:
    """A lab as its file describes it.

    Attributes:
        name: Name of the file, with hyphens: `leaf-modules`.
        title: What it is about, one line.
        statement: The statement under test.
        said_by: Who makes it: `paper` with sections, `documentation` with names, or `common belief`.
        verdict: The verdict on the versions it was written on.
        seen_on: Those versions of torch.
        meaning: What it means for the reader, when the verdict is the recorded one.
        break_at: Qualified names of the functions in which to watch it.
        code: Source of the file.
        uses_model: Whether it runs on the reader's model.
        changed: For `changed since`: what changed since the statement was made.
        needs: Packages that it needs beside torch.
        slow: Whether it is left out when all labs run.
    """

    name: str
    title: str
    statement: str
    said_by: str
    verdict: Verdict
    seen_on: tuple[str, ...]
    meaning: str
    break_at: tuple[str, ...]
    code: str
    uses_model: bool
    changed: str = ""
    needs: tuple[str, ...] = ()
    slow: bool = False


@dataclass(frozen=True, slots=True)
class Observation:
    """One thing that was looked at.

    Attributes:
        what: What was looked at; it ends in `(varies)` when the value is not the same in every run.
        seen: What was seen.
        agrees: Whether that agrees with the statement; None when it only informs.
    """

    what: str
    seen: str
    agrees: bool | None


@dataclass(frozen=True, slots=True)
class LabResult:
    """What came of running a lab.

    Attributes:
        lab: The lab.
        verdict: What the run says about the statement.
        observations: What was seen, in order.
        reason: Why the verdict is not the recorded one, or why nothing could be checked; "" otherwise.
        torch: Version of torch that it ran on.
    """

    lab: Lab
    verdict: Verdict
    observations: tuple[Observation, ...]
    reason: str
    torch: str
