"""What a study sheet holds, gathered from a mapped paper and traced models; no markup yet."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fxanchor.breakpoints.trace import Trace
from fxanchor.concepts.concept import Concept, Mention
from fxanchor.model.report import NodeRow
from fxanchor.paper.document import Paper
from fxanchor.sheet.anchors import Anchor, join
from fxanchor.sheet.mapping import Mapped
from fxanchor.sheet.study.excerpt import Excerpt, excerpt
from fxanchor.sheet.study.options import Level
from fxanchor.source.definition import Raise, Stop

if TYPE_CHECKING:
    from fxanchor.source.index import Index

# How many cards a reader meets: an evening, a week, everything.
_CARDS = {Level.intro: 7, Level.engineer: 20, Level.deep: 10_000}
_QUOTES = 2
_GIVES_UP = 6
# How a paper announces what it does, the plainest way first. The abstract comes before the rest of the paper.
_ANNOUNCES = (
    re.compile(
        r"\b(we|this (paper|work|article)) (\w+ )?(present|propose|introduce|describe)|本文(提出|介绍|设计|实现)"
    ),
    re.compile(r"\b(we|this (paper|work|article)) (\w+ )?(stud|design|develop|show)|本文"),
)
_ANNOUNCED_BY_PAGE = 3
# What makes a sentence tell what a thing is, right behind the thing's name.
_DEFINES = re.compile(
    r"^\W*(s\b)?\W*(\w+ )?(is|are|takes?|represents?|stores?|controls?|provides?|contains?|can|records?)\b"
)
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+(?=[A-Z“\"(\d]|[一-鿿])")


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence of the paper and where it stands."""

    text: str
    section: str
    page: int
    line: int


@dataclass(frozen=True, slots=True)
class ModelPart:
    """One traced model and its anchors."""

    trace: Trace
    anchors: tuple[Anchor, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """One concept to study.

    Attributes:
        identity: The qualified name the card is about; a card keeps its notes by it.
        concept: The concept.
        quotes: What the paper says.
        excerpt: The lines of the definition that matter, or None when it has no source.
        stop: The line that stops at its entry, or None.
        anchors: Proven breakpoints inside the definition, for each model.
        gives_up: Its `raise` statements.
    """

    identity: str
    concept: Concept
    quotes: tuple[Quote, ...]
    excerpt: Excerpt | None
    stop: Stop | None
    anchors: tuple[Anchor, ...]
    gives_up: tuple[Raise, ...]


@dataclass(frozen=True, slots=True)
class Study:
    """All that a sheet says.

    Attributes:
        mapped: The paper and its links.
        purpose: The sentence in which the paper says what it does, or None.
        models: The traced models.
        cards: Most central first.
    """

    mapped: Mapped
    purpose: Quote | None
    models: tuple[ModelPart, ...]
    cards: tuple[Card, ...]


def gather(
    mapped: Mapped, traces: Sequence[Trace], *, level: Level = Level.engineer, only: Sequence[str] = ()
) -> Study:
    """Gather a study sheet.

    Args:
        mapped: The paper and its links.
        traces: The traced models, none or more.
        level: How many concepts get a card.
        only: Names of concepts to keep; with none, all.

    Returns:
        The sheet's content.
    """
    models = tuple(ModelPart(trace, join(trace.proofs, mapped.index, mapped)) for trace in traces)
    linked = [
        concept
        for concept in mapped.found.concepts
        if concept.status in ("linked", "moved") and concept.definition and concept.definition.kind != "module"
    ]
    if only:
        wanted = {name.casefold() for name in only}
        linked = [concept for concept in linked if wanted & set(_names(concept))]
    # One card for each definition, called by its name rather than by a phrase that means it.
    by_symbol: dict[str, Concept] = {}
    for concept in linked:
        if concept.symbol not in by_symbol or (by_symbol[concept.symbol].kind == "phrase" != concept.kind):
            by_symbol[concept.symbol] = concept
    kept = list(by_symbol.values())[: _CARDS[level] if not only else None]
    return Study(mapped, purpose(mapped.paper), models, tuple(_card(concept, mapped, models) for concept in kept))


def purpose(paper: Paper) -> Quote | None:
    """Return the first sentence in which the paper announces what it does."""
    for pattern in _ANNOUNCES:
        for quote in _first_sentences(paper):
            if pattern.search(quote.text.lower()):
                return quote
    return None


def _first_sentences(paper: Paper) -> Iterator[Quote]:
    """Give the sentences of the paper's first pages."""
    for passage in paper.passages:
        if passage.role != "prose":
            continue
        start = 0
        for sentence in _SENTENCE.split(passage.text):
            at = passage.text.index(sentence, start)
            start = at + len(sentence)
            if not sentence.strip():
                continue
            place = passage.place(at, start)
            if place.page > _ANNOUNCED_BY_PAGE:
                return
            yield Quote(sentence.strip(), passage.section, place.page, place.line)


def followed_node(model: ModelPart) -> NodeRow | None:
    """Return the node whose way is told from the user's line to the generated code: the first that computes."""
    for node in model.trace.capture.nodes:
        if node.op.startswith("call_") and node.trigger is not None:
            return node
    return None


def _names(concept: Concept) -> tuple[str, ...]:
    simple = concept.symbol.rpartition(".")[2]
    return tuple(name.casefold() for name in (concept.name, concept.symbol, concept.public_name, simple))


def _card(concept: Concept, mapped: Mapped, models: Sequence[ModelPart]) -> Card:
    definition = concept.definition
    assert definition is not None
    inside = definition.name + "."
    anchors = tuple(
        anchor
        for model in models
        for anchor in model.anchors
        if anchor.proof.wanted.stop.symbol == definition.name
        or (definition.kind == "class" and anchor.proof.wanted.stop.symbol.startswith(inside))
    )
    stops = [anchor.proof.wanted.stop.line for anchor in anchors if anchor.proof.kind == "hit"]
    index: Index = mapped.index
    return Card(
        identity=concept.symbol,
        concept=concept,
        quotes=_quotes(concept.mentions),
        excerpt=excerpt(definition, index, stops),
        stop=mapped.stops.get(definition.name),
        anchors=anchors,
        gives_up=tuple(item for item in index.raises(definition) if item.exception)[:_GIVES_UP],
    )


def _quotes(mentions: Sequence[Mention]) -> tuple[Quote, ...]:
    """Return the sentences that say most about a concept, in the order of the paper."""
    good = [mention for mention in mentions if mention.status in ("linked", "moved")]
    chosen: dict[str, Mention] = {}
    for mention in sorted(good, key=_telling, reverse=True):
        chosen.setdefault(mention.context.strip(), mention)
    first = sorted(list(chosen.values())[:_QUOTES], key=lambda mention: (mention.page, mention.line))
    return tuple(Quote(mention.context.strip(), mention.section, mention.page, mention.line) for mention in first)


def _telling(mention: Mention) -> int:
    """Return how much a sentence tells about what it names: what it is, before that it is there."""
    text = mention.context.strip()
    at = text.find(mention.surface)
    behind = text[at + len(mention.surface) :]
    return (
        4 * (mention.where == "prose" and text.endswith((".", "!", "?", "。", ":")))
        + 3 * bool(_DEFINES.match(behind))
        + 2 * (0 <= at <= 12)
        + (60 <= len(text) <= 320)
    )
