"""Find the sentences of a paper that claim something of the package, and what would have to make them true."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from fxanchor.concepts.concept import Concept, PaperMap
from fxanchor.concepts.words import sentences
from fxanchor.paper.document import Paper, Place, Placed
from fxanchor.source.definition import Definition, Raise

if TYPE_CHECKING:
    from fxanchor.source.index import Index

ClaimKind = Literal["contribution", "ability", "customization", "default", "limit", "guarantee", "behavior"]

# What is promised, in the words that papers use for it; the first that fits gives the kind. A limit comes before an
# ability, because "is not able to" holds "able to".
_CUES: Final[tuple[tuple[ClaimKind, re.Pattern[str]], ...]] = (
    (
        "contribution",
        re.compile(
            r"\b(?:we|this paper|this work)\s+(?:also\s+)?(?:present(?:s|ed)?|propos(?:es?|ed)|introduc(?:es?|ed)|"
            r"contribut(?:es?|ed)|describ(?:es?|ed)|develop(?:s|ed)?|implement(?:s|ed)?|provid(?:es?|ed))\b",
            re.I,
        ),
    ),
    (
        "limit",
        re.compile(
            r"\b(?:(?:is|are|was|were|do|does|did|can|could|will|would|should|must|has|have)\s?not|cannot|never|"
            r"no longer|without)\b|\b(?:unsupported|undefined behaviou?r|only support(?:s|ed)?|only valid|"
            r"limited to|limitations?|fails? to|receives? an error|raises? (?:an )?(?:errors?|exceptions?)|omits?|"
            r"makes no attempt)\b|\bNo\s+\w+\s+(?:is|are)\b",
            re.I,
        ),
    ),
    (
        "customization",
        re.compile(
            r"\b(?:can|could|may|to)\s+be\s+(?:\w+ly\s+)?(?:overridden|customi[sz]ed|configured|extended|replaced|"
            r"subclassed|specified|changed|modified|adapted)\b|\b(?:customi[sz]able|configurable|overrid(?:es?|ing)|"
            r"configured (?:by|via|through))\b",
            re.I,
        ),
    ),
    ("default", re.compile(r"\b(?:by default|defaults? to|the default)\b", re.I)),
    (
        "guarantee",
        re.compile(
            r"\b(?:guarantees?|ensures?|always|preserv(?:es?|ed)|(?:is|are)\s+(?:kept|preserved|retained|guaranteed)|"
            r"keeps?|make sure|must)\b",
            re.I,
        ),
    ),
    (
        "ability",
        re.compile(
            r"\b(?:(?:is|are)\s+able\s+to|can(?!\s+be\s+found)|allow(?:s|ing)?|enabl(?:es?|ing)|support(?:s|ing)?|"
            r"provid(?:es?|ing)|lets?|makes? it possible|is designed to)\b",
            re.I,
        ),
    ),
    (
        "behavior",
        re.compile(
            r"\b(?:takes?|returns?|records?|captures?|produces?|generates?|represents?|contains?|stores?|creates?|"
            r"holds?|runs?|calls?|invokes?|describes?|consists? of|is a|is an|is the|are the|traces?|computes?)\b"
        ),
    ),
)
_MAX_RAISES = 8
# Characters: room for an article and a word before the subject of a sentence.
_AT_THE_HEAD = 24
_OF_OTHERS = re.compile(r"\bis no part of\b|^the text says it is\b")
_ROLES = ("prose", "footnote", "caption")


@dataclass(frozen=True, slots=True)
class Ground:
    """A definition that would have to make a claim true.

    Attributes:
        definition: The definition.
        raises: Where it gives up, in the order of its lines, as many as are worth showing.
        total: How many such places there are.
    """

    definition: Definition
    raises: tuple[Raise, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Claim(Placed):
    """A sentence that claims something of the package.

    Attributes:
        kind: What sort of claim it is.
        sentence: The sentence.
        cue: The words that make it a claim.
        section: Number of the section, or its title where it has no number.
        places: Where the sentence stands, line by line, over columns and pages. There is at least one.
        concepts: Names of the concepts it is about, in the order of the map.
        grounds: The definitions that would have to make it true.
    """

    kind: ClaimKind
    sentence: str
    cue: str
    section: str
    places: tuple[Place, ...]
    concepts: tuple[str, ...]
    grounds: tuple[Ground, ...]


def find_claims(paper: Paper, paper_map: PaperMap, index: "Index") -> tuple[Claim, ...]:
    """Return the claims of a paper in reading order.

    Args:
        paper: The paper.
        paper_map: The concepts it names.
        index: The index that they were linked with.

    Returns:
        Every sentence with the words of a claim and at least one linked concept.
    """
    spoken = _by_sentence(paper_map.concepts)
    foreign = _foreign(paper_map.concepts)
    raised: dict[str, tuple[Raise, ...]] = {}
    claims = []
    for passage in paper.passages:
        if passage.role not in _ROLES:
            continue
        for start, end in sentences(passage.text):
            sentence = " ".join(passage.text[start:end].split())
            spelt = spoken.get((passage.section, sentence), {}).values()
            about = [concept for concept, _ in spelt]
            surfaces = [surface for _, surface in spelt]
            if about and _is_of_others(sentence, surfaces, foreign.get((passage.section, sentence), ())):
                continue
            match = _cue(sentence, surfaces) if about else None
            if match is None:
                continue
            places = tuple(passage.places(start, end))
            if not places:
                continue
            kind, cue = match
            grounds = tuple(_ground(definition, index, raised) for definition in _specific(about, index))
            names = tuple(dict.fromkeys(concept.name for concept in about))
            claims.append(Claim(kind, sentence, cue, passage.section, places, names, grounds))
    return tuple(claims)


def _by_sentence(concepts: Iterable[Concept]) -> dict[tuple[str, str], dict[int, tuple[Concept, str]]]:
    """Return the linked concepts by section and sentence, each with how it is spelt there, in the order of the map."""
    found: dict[tuple[str, str], dict[int, tuple[Concept, str]]] = defaultdict(dict)
    for number, concept in enumerate(concepts):
        for mention in concept.mentions:
            if mention.status in ("linked", "moved"):
                found[mention.section, mention.context].setdefault(number, (concept, mention.surface))
    return found


def _foreign(concepts: Iterable[Concept]) -> dict[tuple[str, str], set[str]]:
    """Return the names of other projects by section and sentence."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for concept in concepts:
        for mention in concept.mentions:
            if mention.status == "outside" and _OF_OTHERS.search(mention.reason):
                found[mention.section, mention.context].add(mention.surface)
    return found


def _is_of_others(sentence: str, surfaces: Sequence[str], foreign: Iterable[str]) -> bool:
    """Tell whether a sentence begins with what is another project's: it claims nothing of the package then."""
    first = min((at for text in surfaces if (at := sentence.find(text)) >= 0), default=0)
    return any(0 <= (at := sentence.find(name)) < first and at < _AT_THE_HEAD for name in foreign)


def _cue(sentence: str, surfaces: Sequence[str]) -> tuple[ClaimKind, str] | None:
    """Return the kind of a claim and its words, or None for a sentence that claims nothing."""
    # What something does is told behind its name, and `program capture` is no claim of capturing.
    first = min((at for text in surfaces if (at := sentence.find(text)) >= 0), default=0)
    behind = sentence
    for text in surfaces:
        behind = behind.replace(text, " " * len(text))
    for kind, pattern in _CUES:
        match = pattern.search(behind, first) if kind == "behavior" else pattern.search(sentence)
        if match:
            return kind, match.group()
    return None


def _specific(about: Sequence[Concept], index: "Index") -> list[Definition]:
    """Return the definitions of concepts without those that another of them is part of."""
    known = {concept.definition.name: concept.definition for concept in about if concept.definition is not None}
    around = {parent for name in known for parent in _parents(name)}
    members = {definition.parent for definition in known.values() if definition.kind in ("method", "attribute")}
    reaching = {name for name in known if members & {base.name for base in index.order(name)}}
    return [definition for name, definition in known.items() if name not in around and name not in reaching]


def _parents(name: str) -> list[str]:
    """Return the dotted names around a dotted name."""
    parts = name.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts))]


def _ground(definition: Definition, index: "Index", known: dict[str, tuple[Raise, ...]]) -> Ground:
    """Return a definition with where it gives up; a module says too little about one sentence."""
    if definition.kind == "module":
        return Ground(definition, (), 0)
    if definition.name not in known:
        # A bare `raise` hands on what somebody else gave up with.
        known[definition.name] = tuple(item for item in index.raises(definition) if item.exception)
    raises = known[definition.name]
    return Ground(definition, raises[:_MAX_RAISES], len(raises))
