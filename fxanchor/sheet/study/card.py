"""One card of the sheet: what the paper says, what the code does, what your model did there."""

from collections.abc import Iterator, Sequence

from fxanchor.sheet.anchors import Anchor
from fxanchor.sheet.escape import code_block, code_span, markdown
from fxanchor.sheet.study.content import Card, Study
from fxanchor.sheet.study.notes import box, notes_block
from fxanchor.sheet.study.options import Language
from fxanchor.sheet.study.words import say

_ANCHORS = 4


def card_lines(number: int, card: Card, study: Study, language: Language) -> Iterator[str]:
    """Give the lines of one card."""
    concept = card.concept
    yield f"### {number} · {markdown(concept.name)}"
    yield ""
    yield f"{code_span(concept.public_name or concept.symbol)} · {markdown(concept.reason)}"
    yield ""
    if card.quotes:
        yield f"**{say('paper says', language)}**"
        yield ""
    for quote in card.quotes:
        yield f"> {markdown(quote.text)}"
        yield ">"
        section = f"{say('section', language)} {markdown(quote.section)}, " if quote.section else ""
        yield f"> — {section}{say('page', language)} {quote.page}, {say('line', language)} {quote.line}"
        yield ""
    yield from _code(card, language)
    yield from _model(card, study, language)
    yield from _gives_up(card, language)
    yield from _question(card, study, language)
    yield box(say("stood there", language), card.identity, "stood")
    yield box(say("understood", language), card.identity, "understood")
    yield ""
    yield notes_block(card.identity)


def _code(card: Card, language: Language) -> Iterator[str]:
    if card.excerpt is None:
        return
    shown = card.excerpt
    place = code_span(f"{shown.file}:{shown.line}-{shown.end_line}")
    linked = f"[{place}]({shown.permalink})" if shown.permalink else place
    yield f"**{say('code does', language)}** {linked}"
    yield ""
    yield code_block(shown.code)
    yield ""


def _model(card: Card, study: Study, language: Language) -> Iterator[str]:
    hit = [anchor for anchor in card.anchors if anchor.proof.kind == "hit"]
    if not hit:
        if card.stop is not None and not study.models:
            at = code_span(f"b {card.stop.file}:{card.stop.line}")
            yield f"**{say('break', language)}** {at} ({say('unproven', language)})"
            yield ""
        for anchor in card.anchors[:_ANCHORS]:
            reason = f": {markdown(anchor.proof.reason)}" if anchor.proof.reason else ""
            yield f"**{say('break', language)}** {markdown(anchor.name)}: {say(anchor.proof.kind, language)}{reason}"
            yield ""
        return
    yield f"**{say('your model', language)}**"
    yield ""
    for anchor in hit[:_ANCHORS]:
        yield from _anchor(anchor, language)
    yield ""


def _anchor(anchor: Anchor, language: Language) -> Iterator[str]:
    proof = anchor.proof
    stop = proof.wanted.stop
    count = say("hit", language) if proof.hits == 1 else say("hits", language, count=proof.hits)
    line = f"- {markdown(anchor.name)}: {code_span(f'b {stop.file}:{stop.line}')} {count}"
    if proof.first_trigger is not None:
        trigger = proof.first_trigger
        place = f"{trigger.file}:{trigger.line}"
        line += f", {say('first at', language)} {code_span(place)} {code_span(trigger.expression)}"
    yield line
    if proof.watch:
        seen = "; ".join(code_span(f"{item.expression} = {item.value}") for item in proof.watch)
        yield f"  {say('seen', language)}: {seen}"


def _gives_up(card: Card, language: Language) -> Iterator[str]:
    if not card.gives_up:
        return
    yield f"**{say('gives up', language)}**"
    yield ""
    for item in card.gives_up:
        yield "- " + say(
            "gives up item",
            language,
            exception=code_span(item.exception),
            place=code_span(f"{item.file}:{item.line}"),
            message=code_span(item.message) or "…",
        )
    yield ""


def _question(card: Card, study: Study, language: Language) -> Iterator[str]:
    question, answer = _asked(card, study, language)
    if question:
        yield f"**{say('ask', language)}** {question}"
        yield ""
        yield f"<details><summary>{say('answer', language)}</summary>"
        yield ""
        yield answer
        yield ""
        yield "</details>"
        yield ""


def _asked(card: Card, study: Study, language: Language) -> tuple[str, str]:
    """Return a question whose answer was measured, and the answer; empty when nothing can be asked."""
    symbol = code_span(card.concept.public_name or card.identity)
    for anchor in card.anchors:
        proof = anchor.proof
        if proof.kind == "hit" and proof.first_trigger is not None:
            model = code_span(study.models[0].trace.capture.file)
            count = say("hit", language) if proof.hits == 1 else say("hits", language, count=proof.hits)
            trigger = code_span(
                f"{proof.first_trigger.file}:{proof.first_trigger.line} {proof.first_trigger.expression}"
            )
            inner = code_span(proof.wanted.stop.symbol.rpartition(".")[2])
            return (
                say("q entry", language, model=model, symbol=inner),
                say("a entry", language, hits=count, trigger=trigger),
            )
    raised: Sequence[str] = [
        f"{code_span(item.exception)}: {code_span(item.message)}" for item in card.gives_up if item.message
    ]
    if raised:
        return say("q raise", language, symbol=symbol), "; ".join(raised) + "."
    return "", ""
