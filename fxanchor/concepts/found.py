"""What linking has found at one place of the paper, on its way to becoming a mention of a concept."""

from dataclasses import dataclass

from fxanchor.concepts.concept import ConceptKind, Where
from fxanchor.concepts.evidence import Candidate, Verdict
from fxanchor.paper.document import Passage


@dataclass(frozen=True, slots=True)
class Found:
    """One place and its verdict.

    Attributes:
        passage: The passage.
        order: Number of the passage in the paper.
        start: Index in the passage's text.
        end: Index behind it.
        surface: The words as the paper spells them.
        where: In what kind of block it stands.
        context: The sentence or code line around it.
        kind: What brought it in.
        verdict: What became of it.
        name: How the concept is called where the verdict does not name a definition.
    """

    passage: Passage
    order: int
    start: int
    end: int
    surface: str
    where: Where
    context: str
    kind: ConceptKind
    verdict: Verdict
    name: str

    @property
    def linked(self) -> bool:
        """Whether it names a definition."""
        return self.verdict.status in ("linked", "moved") and self.verdict.definition is not None

    def overlaps(self, start: int, end: int) -> bool:
        """Tell whether it shares a character with a stretch of the same passage."""
        return self.start < end and start < self.end


def from_candidate(candidate: Candidate, verdict: Verdict) -> Found:
    """Return a judged candidate as something found."""
    return Found(
        passage=candidate.passage,
        order=candidate.order,
        start=candidate.start,
        end=candidate.end,
        surface=candidate.surface,
        where=candidate.where,
        context=candidate.sentence,
        kind="listing" if candidate.where == "listing" else "identifier",
        verdict=verdict,
        name=candidate.name,
    )
