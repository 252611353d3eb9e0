"""A question on a card whose answer was measured or can be read in the source, and the answer."""

from fxanchor.sheet.anchors import Anchor, inside_module
from fxanchor.sheet.escape import code_span, shortened
from fxanchor.sheet.study.content import Card, ModelPart, Study, model_file, on_model
from fxanchor.sheet.study.options import Language
from fxanchor.sheet.study.words import say

_RAISES = 4
_LONGEST = 100


def asked(card: Card, study: Study, language: Language) -> tuple[str, str] | None:
    """Return a question and its answer as markdown, or None when nothing can be asked.

    Args:
        card: The card.
        study: The sheet that it is part of.
        language: Of the sheet's own words.
    """
    for model in study.models:
        hit = [anchor for anchor in on_model(card, model) if anchor.proof.kind == "hit"]
        # What your own code set off teaches more than what the capture does by itself.
        hit.sort(key=lambda anchor: anchor.proof.first_trigger is None)
        if hit and (hit[0].proof.first_trigger is not None or not card.gives_up):
            return _of_a_run(hit[0], model, study, language)
    raised = [
        f"{code_span(item.exception)}: {code_span(shortened(item.message, _LONGEST))}"
        for item in card.gives_up
        if item.message
    ]
    if raised:
        symbol = code_span(card.concept.public_name or card.identity)
        return say("q raise", language, symbol=symbol), "; ".join(raised[:_RAISES]) + "."
    return _of_the_source(card, language)


def _of_a_run(anchor: Anchor, model: ModelPart, study: Study, language: Language) -> tuple[str, str]:
    proof = anchor.proof
    words = {
        "model": code_span(model_file(model)),
        "symbol": code_span(inside_module(proof.wanted.stop.symbol, study.mapped.index)),
    }
    hits = say("hit", language) if proof.hits == 1 else say("hits", language, count=proof.hits)
    trigger = proof.first_trigger
    if trigger is None:
        return say("q hits", language, **words), say("a hits", language, hits=hits)
    shown = f"{code_span(f'{trigger.file}:{trigger.line}')} {code_span(shortened(trigger.expression, _LONGEST))}"
    return say("q entry", language, **words), say("a entry", language, hits=hits, trigger=shown)


def asked_of_stop(card: Card, language: Language) -> tuple[str, str] | None:
    """Return the question for the line that stops, and the answer; None when no Python line does."""
    if card.stop is None:
        return None
    symbol = code_span(card.concept.public_name or card.identity)
    place = code_span(f"b {card.stop.file}:{card.stop.line}")
    keyword = code_span("class" if card.concept.definition and card.concept.definition.kind == "class" else "def")
    return say("q stop", language, symbol=symbol), say("a stop", language, place=place, keyword=keyword)


def _of_the_source(card: Card, language: Language) -> tuple[str, str] | None:
    if card.stop is not None:
        return asked_of_stop(card, language)
    symbol = code_span(card.concept.public_name or card.identity)
    if card.excerpt is not None and "\n" not in card.excerpt.code:
        place = code_span(f"{card.excerpt.file}:{card.excerpt.line}-{card.excerpt.end_line}")
        answer = say("a where", language, place=place, code=code_span(card.excerpt.code))
        return say("q where", language, symbol=symbol), answer
    return None
