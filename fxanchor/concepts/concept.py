"""The data classes of the linker: a mention in the paper, and the concept it belongs to."""

from dataclasses import dataclass
from typing import Literal

from fxanchor.paper.document import Place, Placed
from fxanchor.source.definition import Definition

Status = Literal["linked", "moved", "missing", "outside", "refused"]
ConceptKind = Literal["identifier", "listing", "phrase", "requested"]
Where = Literal["prose", "listing", "caption", "heading"]


@dataclass(frozen=True, slots=True)
class Mention(Placed):
    """One place in the paper that may name a symbol.

    Attributes:
        section: Number of the section, or its title where it has no number.
        surface: The words as the paper spells them.
        where: In what kind of block it stands.
        context: The sentence or code line around it.
        places: Where it stands, line by line: a name may run over lines, columns and pages. There is at least one.
        status: What became of this mention.
        reason: Why, in words.
    """

    section: str
    surface: str
    where: Where
    context: str
    places: tuple[Place, ...]
    status: Status
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Concept:
    """A thing worth learning: what the paper calls it, and the definition it names.

    Attributes:
        name: How the table calls it.
        kind: Whether the text, a listing, the catalogue or the user's request brought it in.
        status: What became of it as a whole: `linked` when any of its mentions is.
        confidence: 0 to 1, the share of the evidence that speaks for this definition.
        reason: Why, in words.
        symbol: Qualified name of the definition, or "" when there is none.
        public_name: The shortest public spelling of `symbol`, or "".
        definition: The definition, also for a refused request whose class exists.
        alternatives: Qualified names of other definitions that the words could mean.
        mentions: Its mentions in reading order.
    """

    name: str
    kind: ConceptKind
    status: Status
    confidence: float
    reason: str
    symbol: str
    public_name: str
    definition: Definition | None
    alternatives: tuple[str, ...]
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class PaperMap:
    """All concepts of a paper, and both directions of the public interface.

    Attributes:
        concepts: Most central first.
        named_in_paper: Public names of the package that the paper names.
        not_in_paper: Public names that it never names.
    """

    concepts: tuple[Concept, ...]
    named_in_paper: tuple[str, ...]
    not_in_paper: tuple[str, ...]
