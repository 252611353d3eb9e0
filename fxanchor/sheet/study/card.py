"""One card of the sheet: what the paper says, what the code does, what your model did there."""

import re
from collections.abc import Iterator, Sequence

from fxanchor.breakpoints.facts import load_names
from fxanchor.model.report import Trigger
from fxanchor.sheet.anchors import Anchor
from fxanchor.sheet.escape import code_block, code_span, markdown, shortened
from fxanchor.sheet.study.about import mechanism_words
from fxanchor.sheet.study.content import Card, ModelPart, Study, model_file, on_model
from fxanchor.sheet.study.experiment_text import experiment_lines
from fxanchor.sheet.study.notes import box, notes_block
from fxanchor.sheet.study.options import Language
from fxanchor.sheet.study.questions import asked
from fxanchor.sheet.study.quotes import Quote
from fxanchor.sheet.study.words import english, say

_ANCHORS = 4
_VALUE = 100


def card_lines(card: Card, study: Study, language: Language) -> Iterator[str]:
    """Give the lines of one card, without its heading."""
    yield from _about(card, language)
    if card.quotes:
        yield f"**{say('paper says', language)}**"
        yield ""
    for quote in card.quotes:
        yield f"> {markdown(quote.text)}"
        yield ">"
        yield f"> — {place_words(quote, language)}"
        yield ""
    yield from _code(card, language)
    for model in study.models:
        yield from _model(card, model, study, language)
    if not study.models and card.stop is not None:
        at = code_span(f"b {card.stop.file}:{card.stop.line}")
        yield f"**{say('break', language)}** {at} ({say('unproven', language)})"
        yield ""
    yield from _gives_up(card, language)
    if card.lab is not None:
        yield from experiment_lines(card.lab, language)
    yield from _question(card, study, language)
    yield box(say("stood there", language), card.identity, "stood")
    yield box(say("understood", language), card.identity, "understood")
    yield ""
    yield notes_block(card.identity)
    if why := _why(card, language):
        yield ""
        yield f"<sub>{why}</sub>"


def place_words(quote: Quote, language: Language) -> str:
    """Return where a sentence stands: `section 4.2, page 5, line 60`."""
    numbered = is_numbered(quote.section)
    section = say("section of", language, number=quote.section) if numbered else markdown(quote.section)
    parts = [section] if quote.section else []
    parts += [say("page", language, number=quote.page), say("line", language, number=quote.line)]
    return ", ".join(parts)


def is_numbered(section: str) -> bool:
    """Tell whether a section is given by its number (`4.2`, `A.1`) rather than by its title."""
    return bool(section and re.fullmatch(r"[A-Z]?\d*(\.\d+)*", section))


def details(summary: str, lines: Sequence[str]) -> Iterator[str]:
    """Give lines that are folded away; `markdown` makes MkDocs read them, other renderers drop it."""
    yield f'<details markdown="1"><summary>{summary}</summary>'
    yield ""
    yield from lines
    yield ""
    yield "</details>"
    yield ""


def _about(card: Card, language: Language) -> Iterator[str]:
    yield code_span(card.concept.public_name or card.identity)
    yield ""
    own = card.concept.name
    for entry in card.about.mechanisms:
        if words := mechanism_words(entry, language):
            also = say("also", language, phrase=markdown(entry.name)) + say("colon", language)
            yield f"{'' if entry.name == own else also}{markdown(words)}"
            yield ""
    if card.about.doc:
        yield f"{say('doc', language)}{say('colon', language)}“{docstring(card.about.doc)}”"
        yield ""


def docstring(text: str) -> str:
    """Return a docstring's sentence as markdown, its literals as code."""
    parts = re.split(r"(\s+)|``(.+?)``", text)
    words = []
    for plain_words, space, literal in zip(parts[::3], [*parts[1::3], None], [*parts[2::3], None], strict=True):
        words += [markdown(plain_words), " " if space else "", code_span(literal or "")]
    return "".join(words)


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


def _model(card: Card, model: ModelPart, study: Study, language: Language) -> Iterator[str]:
    anchors = on_model(card, model)
    if not anchors:
        return
    several = len(study.models) > 1
    head = say("on model", language, model=code_span(model_file(model))) if several else say("your model", language)
    hit = [anchor for anchor in anchors if anchor.proof.kind == "hit"]
    yield f"**{head}**"
    yield ""
    if hit:
        for anchor in hit[:_ANCHORS]:
            yield from _hit(anchor, language)
        if len(hit) > _ANCHORS:
            yield f"- {say('hit more', language, count=len(hit) - _ANCHORS)}"
    else:
        yield _not_hit(anchors[0], language)
    yield ""


def _hit(anchor: Anchor, language: Language) -> Iterator[str]:
    proof = anchor.proof
    stop = proof.wanted.stop
    at, name = code_span(f"b {stop.file}:{stop.line}"), markdown(stop_name(anchor, language))
    line = f"- {at} {name}{say('colon', language)}{hits_words(anchor, language)}"
    if proof.first_trigger is not None:
        line += f"{say('comma', language)}{say('first at', language)} {trigger_spans(proof.first_trigger)}"
    yield line
    for item in proof.watch:
        yield f"    - {code_span(item.expression)} → {code_span(shortened(item.value, _VALUE))}"


def _not_hit(anchor: Anchor, language: Language) -> str:
    stop = anchor.proof.wanted.stop
    if anchor.proof.kind == "not executable" or not stop.line:
        return say("not executable", language) + say("full stop", language)
    key = "not seen at" if anchor.proof.kind == "not watched" else "stops at"
    words = say(key, language, place=code_span(f"b {stop.file}:{stop.line}"))
    reason = english(markdown(anchor.proof.reason), language)
    end = say("full stop", language) if language is Language.en or not reason else ""
    return f"{words}{say('colon', language) + reason if reason else ''}{end}"


def stop_name(anchor: Anchor, language: Language) -> str:
    """Return what the sheet calls a breakpoint; one that the catalogue does not know keeps its name."""
    return load_names(language.value).get(anchor.name, anchor.name)


def hits_words(anchor: Anchor, language: Language) -> str:
    """Return how often a breakpoint was hit, in words."""
    hits = anchor.proof.hits
    return say("hit", language) if hits == 1 else say("hits", language, count=hits)


def trigger_spans(trigger: Trigger) -> str:
    """Return a place in the user's model and the expression there, as code."""
    return f"{code_span(f'{trigger.file}:{trigger.line}')} {code_span(shortened(trigger.expression, _VALUE))}"


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
            message=code_span(shortened(item.message, 2 * _VALUE)) or "…",
        )
    yield ""


def _question(card: Card, study: Study, language: Language) -> Iterator[str]:
    if found := asked(card, study, language):
        question, answer = found
        yield f"**{say('ask', language)}** {question}"
        yield ""
        yield from details(say("answer", language), [answer])


def _why(card: Card, language: Language) -> str:
    """Return why the paper's words are tied to the definition."""
    symbol = code_span(card.identity)
    if card.concept.kind == "phrase":
        return say("linked phrase", language, symbol=symbol, phrase=markdown(card.concept.name))
    if card.about.why:
        return say("linked", language, symbol=symbol, why=english(markdown(card.about.why), language))
    return ""
