"""What a study sheet holds, gathered from a mapped paper and traced models; no markup yet."""

import difflib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fxanchor.breakpoints.trace import Trace
from fxanchor.concepts.claims import Claim
from fxanchor.concepts.concept import Concept
from fxanchor.errors import UsageError
from fxanchor.labs.lab import LabResult
from fxanchor.model.report import NodeRow
from fxanchor.sheet.anchors import Anchor, join
from fxanchor.sheet.mapping import Mapped
from fxanchor.sheet.study.about import About, about
from fxanchor.sheet.study.excerpt import Excerpt, excerpt
from fxanchor.sheet.study.options import Level
from fxanchor.sheet.study.quotes import Quote, problem, purpose, quotes_of
from fxanchor.sheet.trace_tables import own_file
from fxanchor.source.definition import Raise, Stop

if TYPE_CHECKING:
    from fxanchor.source.index import Index

# The classes that writers need, wherever they are defined.
__all__ = ["Card", "ModelPart", "Quote", "Study", "card_of", "followed_node", "gather", "main_stop", "on_model"]
__all__ += ["model_file", "model_name", "with_labs"]

# How many cards a reader meets: an evening, a week, everything.
_CARDS = {Level.intro: 7, Level.engineer: 20, Level.deep: 10_000}
_QUOTES = {Level.intro: 1, Level.engineer: 2, Level.deep: 4}
_GIVES_UP = {Level.intro: 2, Level.engineer: 6, Level.deep: 40}
_NEAR = 3


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
        about: What it is, in a sentence.
        quotes: What the paper says.
        excerpt: The lines of the definition that matter, or None when it has no source.
        stop: The line that stops at its entry, or None.
        anchors: Proven breakpoints inside the definition, those of the first model before those of the next.
        gives_up: Its `raise` statements.
        lab: What came of an experiment on it, or None.
    """

    identity: str
    concept: Concept
    about: About
    quotes: tuple[Quote, ...]
    excerpt: Excerpt | None
    stop: Stop | None
    anchors: tuple[Anchor, ...]
    gives_up: tuple[Raise, ...]
    lab: LabResult | None = None


@dataclass(frozen=True, slots=True)
class Study:
    """All that a sheet says.

    Attributes:
        mapped: The paper and its links.
        problem: The sentence in which the paper says what is wrong or missing, or None.
        purpose: The sentence in which the paper says what it does, or None.
        models: The traced models.
        cards: Most central first.
        claims: What the paper claims, to be questioned; empty when it was not asked for.
    """

    mapped: Mapped
    problem: Quote | None
    purpose: Quote | None
    models: tuple[ModelPart, ...]
    cards: tuple[Card, ...]
    claims: tuple[Claim, ...] = ()


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
        The sheet's content, without experiments and claims.

    Raises:
        UsageError: When a name of `only` is no concept that the paper has a card for.
    """
    models = tuple(ModelPart(trace, join(trace.proofs, mapped.index, mapped)) for trace in traces)
    # One card for each definition, called by its name rather than by a phrase that means it.
    by_symbol: dict[str, Concept] = {}
    for concept in _with_cards(mapped):
        if concept.symbol not in by_symbol or (by_symbol[concept.symbol].kind == "phrase" != concept.kind):
            by_symbol[concept.symbol] = concept
    wanted = _wanted(only, _with_cards(mapped))
    kept = [one for one in by_symbol.values() if not only or one.symbol in wanted]
    kept = kept[: _CARDS[level] if not only else None]
    cards = tuple(card_of(concept, mapped, models, level) for concept in kept)
    return Study(mapped, problem(mapped.paper), purpose(mapped.paper), models, cards)


def card_of(concept: Concept, mapped: Mapped, models: Sequence[ModelPart], level: Level = Level.engineer) -> Card:
    """Return the card of a concept that has a definition.

    Args:
        concept: The concept.
        mapped: The paper and its links.
        models: The traced models.
        level: How much it says.

    Raises:
        ValueError: When it has none.
    """
    definition = concept.definition
    if definition is None:
        raise ValueError(f"{concept.name} has no definition")
    index: Index = mapped.index
    anchors = tuple(anchor for model in models for anchor in model.anchors if _inside(anchor, concept))
    stops = [anchor.proof.wanted.stop.line for anchor in anchors if anchor.proof.kind == "hit"]
    same = [other for other in mapped.found.concepts if other.symbol == concept.symbol and other.status == "linked"]
    # Of `raise error_type(text)` neither the exception nor the message can be told.
    told = [
        item for item in index.raises(definition) if item.message or item.exception.rpartition(".")[2][:1].isupper()
    ]
    raised = {(item.exception, item.message): item for item in reversed(told) if item.exception}
    return Card(
        identity=concept.symbol,
        concept=concept,
        about=about(concept, same, index),
        quotes=quotes_of(concept.mentions, _QUOTES[level]),
        excerpt=excerpt(definition, index, stops),
        stop=mapped.stops.get(definition.name),
        anchors=anchors,
        gives_up=tuple(sorted(raised.values(), key=lambda item: (item.file, item.line)))[: _GIVES_UP[level]],
    )


def with_labs(study: Study, results: Mapping[str, LabResult]) -> Study:
    """Return the study with the outcome of each card's experiment, by the card's identity."""
    return replace(study, cards=tuple(replace(card, lab=results.get(card.identity)) for card in study.cards))


def on_model(card: Card, model: ModelPart) -> tuple[Anchor, ...]:
    """Return the card's breakpoints that were proven on this model."""
    return tuple(anchor for anchor in card.anchors if any(anchor is one for one in model.anchors))


def main_stop(anchors: Sequence[Anchor]) -> Anchor | None:
    """Return the breakpoint to show when there is room for one: a key one, else the first that was hit."""
    hit = [anchor for anchor in anchors if anchor.proof.kind == "hit"]
    return next((anchor for anchor in hit if anchor.proof.wanted.key), next(iter(hit or anchors), None))


def model_file(model: ModelPart) -> str:
    """Return the model's file relative to the working directory, as its triggers spell it."""
    file = own_file(model.trace.capture)
    try:
        return Path(os.path.relpath(file)).as_posix() if Path(file).is_absolute() else file
    except ValueError:
        # On another drive than the working directory.
        return Path(file).name


def model_name(model: ModelPart) -> str:
    """Return what the sheet calls a model: its file and what was taken from it."""
    target = model.trace.capture.target
    return f"{model_file(model)}:{target}" if target else model_file(model)


def followed_node(model: ModelPart) -> NodeRow | None:
    """Return the node whose way is told from the user's line to the generated code: the first that computes."""
    for node in model.trace.capture.nodes:
        if node.op.startswith("call_") and node.trigger is not None:
            return node
    return None


def _with_cards(mapped: Mapped) -> list[Concept]:
    return [
        concept
        for concept in mapped.found.concepts
        if concept.status in ("linked", "moved") and concept.definition and concept.definition.kind != "module"
    ]


def _wanted(only: Sequence[str], concepts: Sequence[Concept]) -> set[str]:
    """Return the definitions that the user's names mean: as they are spelled, else in any case."""
    known: dict[str, set[str]] = {}
    for concept in concepts:
        for name in (concept.name, concept.symbol, concept.public_name, concept.symbol.rpartition(".")[2]):
            known.setdefault(name, set()).add(concept.symbol)
    spelled = {name.casefold(): name for name in reversed(known)}
    found: set[str] = set()
    for name in only:
        if name not in known and name.casefold() not in spelled:
            near = [spelled[each] for each in difflib.get_close_matches(name.casefold(), spelled, _NEAR)]
            hint = f"near ones: {', '.join(near)}" if near else "fxanchor map lists the concepts of the paper"
            raise UsageError(f"The paper has no card for {name!r}; {hint}.")
        found |= known.get(name) or known[spelled[name.casefold()]]
    return found


def _inside(anchor: Anchor, concept: Concept) -> bool:
    """Tell whether a breakpoint lies in the definition of a concept; for a class, in one of its methods."""
    symbol, definition = anchor.proof.wanted.stop.symbol, concept.definition
    if definition is None:
        return False
    return symbol == definition.name or (definition.kind == "class" and symbol.startswith(definition.name + "."))
