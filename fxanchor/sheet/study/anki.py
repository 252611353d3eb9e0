"""Write a study sheet as a deck for Anki: tab-separated text, whose identifiers stay so that an import updates."""

import hashlib
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from fxanchor.sheet.escape import code_span, markdown
from fxanchor.sheet.study.about import mechanism_words
from fxanchor.sheet.study.card import docstring, place_words
from fxanchor.sheet.study.content import Card, Study
from fxanchor.sheet.study.front import title_of
from fxanchor.sheet.study.options import Language, SheetRequest
from fxanchor.sheet.study.questions import asked, asked_of_stop
from fxanchor.sheet.study.words import english, say

_FIRST = "#separator:tab"
_SPAN = re.compile(r"(`+)( ?)(.+?)\2\1(?!`)", re.DOTALL)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_UNSAFE = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class Note:
    """One question of the deck.

    Attributes:
        identity: The definition it is about.
        kind: Which question on it.
        front: The question, as markdown.
        back: The answer, as markdown, a paragraph each.
    """

    identity: str
    kind: str
    front: str
    back: tuple[str, ...]


def study_deck(study: Study, request: SheetRequest) -> str:
    """Return the deck.

    Args:
        study: What the sheet says.
        request: What it was made of.
    """
    title = " ".join(title_of(study).split())
    lines = [
        _FIRST,
        "#html:true",
        "#notetype:Basic",
        f"#deck:{title.replace('::', ':')}",
        "#columns:guid\tFront\tBack\tTags",
        "#guid column:1",
        "#tags column:4",
    ]
    for card in study.cards:
        for note in _notes(card, study, request.language):
            known = f"{title}\n{request.language.value}\n{note.identity}\n{note.kind}"
            guid = hashlib.sha256(known.encode()).hexdigest()[:16]
            tags = f"fxanchor {_UNSAFE.sub('-', note.identity)} {note.kind}"
            back = "<br><br>".join(_html(part) for part in note.back)
            lines.append("\t".join((guid, _html(note.front), back, tags)))
    return "\n".join(lines) + "\n"


def is_deck(text: str) -> bool:
    """Tell whether a text is a deck that fxanchor wrote."""
    return text.startswith(f"{_FIRST}\n") and "\tfxanchor " in text


def _notes(card: Card, study: Study, language: Language) -> Iterator[Note]:
    symbol = code_span(card.concept.public_name or card.identity)
    told = [markdown(words) for entry in card.about.mechanisms if (words := mechanism_words(entry, language))]
    if card.about.doc:
        told.append(f"“{docstring(card.about.doc)}”")
    told.extend(f"“{markdown(quote.text)}” ({place_words(quote, language)})" for quote in card.quotes)
    if told:
        yield Note(card.identity, "what", say("what is", language, symbol=symbol), tuple(told))
    found = asked(card, study, language)
    stop = asked_of_stop(card, language)
    if found is not None and found != stop:
        yield Note(card.identity, "ask", found[0], (found[1],))
    if stop is not None:
        yield Note(card.identity, "stop", stop[0], (stop[1],))
    if card.lab is not None:
        lab, result = card.lab.lab, card.lab
        statement, who = english(markdown(lab.statement), language), markdown(lab.said_by)
        claim = say("true or false", language, statement=statement, who=who)
        verdict = say("verdict", language, verdict=say(result.verdict, language), version=result.torch)
        means = lab.meaning if result.verdict == lab.verdict else result.reason
        yield Note(card.identity, "lab", claim, (verdict, *([english(markdown(means), language)] if means else [])))


def _html(text: str) -> str:
    """Return the markdown that our cards are written in, which is text and code spans, as HTML on one line."""
    parts: list[str] = []
    at = 0
    for found in _SPAN.finditer(text):
        parts.append(_words(text[at : found.start()]))
        parts.append(f"<code>{html.escape(found[3])}</code>")
        at = found.end()
    parts.append(_words(text[at:]))
    return " ".join("".join(parts).split())


def _words(text: str) -> str:
    return html.escape(_ESCAPED.sub(r"\1", text.replace("&amp;", "&")))
