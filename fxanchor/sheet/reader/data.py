"""What the reader's page knows, as plain JSON values: mentions with their places, concepts, definitions, models."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from fxanchor.concepts.concept import Concept, Mention
from fxanchor.labs.lab import LabResult
from fxanchor.paper.document import Box, Paper
from fxanchor.sheet.anchors import Anchor
from fxanchor.sheet.escape import plain, plain_lines
from fxanchor.sheet.mapping import package_name
from fxanchor.sheet.reader.code import coloured, worth_showing
from fxanchor.sheet.reader.model import model_document, trigger_numbers
from fxanchor.sheet.reader.pictures import Picture
from fxanchor.sheet.reader.words import page_words
from fxanchor.sheet.study.card import stop_name
from fxanchor.sheet.study.content import Card, Quote, Study, card_of
from fxanchor.sheet.study.experiment_text import lab_output
from fxanchor.sheet.study.options import Language
from fxanchor.source.definition import Definition

_LINKED: Final = ("linked", "moved")
_MOST_SOURCE: Final = 4_000

Marked = tuple[int, Mention]


def marked(study: Study) -> tuple[Marked, ...]:
    """Return every mention with the number of its concept, in the order in which one reads."""
    found = [
        (number, mention) for number, concept in enumerate(study.mapped.found.concepts) for mention in concept.mentions
    ]
    return tuple(sorted(found, key=lambda item: (item[1].page, item[1].line, item[1].box.x0, item[0])))


def boxes_by_page(mentions: Sequence[Marked]) -> dict[int, list[Box]]:
    """Return the boxes of the mentions of each page, in the order of the mentions and of their lines."""
    boxes: dict[int, list[Box]] = {}
    for _, mention in mentions:
        for place in mention.places:
            boxes.setdefault(place.page, []).append(place.box)
    return boxes


def page_texts(paper: Paper) -> dict[int, list[str]]:
    """Return the paragraphs that begin on each page."""
    texts: dict[int, list[str]] = {}
    for passage in paper.passages:
        if passage.pieces:
            texts.setdefault(passage.pieces[0].page, []).append(plain_lines(passage.text))
    return texts


def reader_document(
    study: Study, mentions: Sequence[Marked], pictures: Sequence[Picture], language: Language
) -> dict[str, Any]:
    """Return all that the page shows besides the pictures.

    Args:
        study: What was gathered.
        mentions: As `marked` gives them.
        pictures: The pages, asked for the boxes of these mentions.
        language: Of the page's own words.
    """
    places = {picture.number: iter(picture.places) for picture in pictures}
    chosen = {card.identity for card in study.cards}
    concepts = study.mapped.found.concepts
    labs = {card.identity: card.lab for card in study.cards if card.lab is not None}
    cards = {
        concept.symbol: card_of(concept, study.mapped, study.models)
        for concept in concepts
        if concept.status in _LINKED and concept.definition is not None
    }
    return {
        "words": page_words(language),
        "source": plain(package_name(study.mapped.index)),
        "purpose": [_quote(quote) for quote in (study.problem, study.purpose) if quote is not None],
        "mentions": [_mention(number, mention, places) for number, mention in mentions],
        "concepts": [_concept(concept, chosen) for concept in concepts],
        "definitions": {
            plain(symbol): _definition(replace(card, lab=labs.get(symbol)), study, language)
            for symbol, card in cards.items()
        },
        "models": [model_document(model, language) for model in study.models],
    }


def _mention(number: int, mention: Mention, places: Mapping[int, Any]) -> dict[str, Any]:
    areas = [(page, next(places[page], None)) for page, _, _ in mention.places if page in places]
    return {
        "concept": number,
        "page": mention.page,
        "line": mention.line,
        "section": plain(mention.section),
        "surface": plain(mention.surface),
        "context": plain(mention.context),
        "where": mention.where,
        "status": mention.status,
        "reason": plain(mention.reason),
        "areas": [[page, area.left, area.top, area.width, area.height] for page, area in areas if area],
    }


def _concept(concept: Concept, chosen: set[str]) -> dict[str, Any]:
    linked = concept.status in _LINKED and concept.definition is not None
    return {
        "name": plain(concept.name),
        "public": plain(concept.public_name or concept.symbol),
        "symbol": plain(concept.symbol) if linked else "",
        "kind": concept.definition.kind if linked and concept.definition else "",
        "phrase": concept.kind == "phrase",
        "status": concept.status,
        "reason": plain(concept.reason),
        "also": [plain(name) for name in concept.alternatives],
        "study": concept.symbol in chosen and linked,
    }


def _definition(card: Card, study: Study, language: Language) -> dict[str, Any]:
    definition = card.concept.definition
    assert definition is not None
    ordered = sorted(card.anchors, key=lambda anchor: anchor.proof.kind != "hit")
    stops = [_stop(anchor, study, language) for anchor in ordered]
    if not stops and card.stop is not None:
        stops = [{"name": "", "file": card.stop.file, "line": card.stop.line, "proof": "", "seen": [], "trigger": None}]
    lines = {stop["line"] for stop in stops if stop["file"] == definition.file and stop["line"]}
    return {
        "file": plain(definition.file),
        "line": definition.line,
        "end": definition.end_line,
        "url": study.mapped.index.permalink(definition),
        "doc": plain(card.about.doc),
        "stops": stops,
        "code": _code(definition, study, lines),
        "quotes": [_quote(quote) for quote in card.quotes],
        "lab": _lab(card.lab) if card.lab else None,
        "raises": [
            {"exception": plain(item.exception), "message": plain(item.message), "at": f"{item.file}:{item.line}"}
            for item in card.gives_up
        ],
    }


def _stop(anchor: Anchor, study: Study, language: Language) -> dict[str, Any]:
    proof = anchor.proof
    stop = proof.wanted.stop
    model = next(number for number, part in enumerate(study.models) if any(anchor is one for one in part.anchors))
    trigger = proof.first_trigger
    return {
        "name": plain(stop_name(anchor, language)),
        "model": model,
        "file": plain(stop.file),
        "line": stop.line,
        "proof": proof.kind,
        "hits": proof.hits,
        "reason": plain(proof.reason),
        "seen": [[plain(item.expression), plain(item.value)] for item in proof.watch],
        "trigger": trigger_numbers(study.models[model])[trigger] if trigger else None,
    }


def _code(definition: Definition, study: Study, stops: set[int]) -> list[list[Any]]:
    """Return `[line number, [[colour, text], ...]]` for each line, `[0, how many]` where lines are left out."""
    index = study.mapped.index
    if definition.kind in ("module", "parameter"):
        return []
    first = index.first_line(definition)
    text = "".join(index.lines(definition)[first - 1 : definition.end_line]).replace("\r\n", "\n").rstrip("\n")
    if not text or text.count("\n") > _MOST_SOURCE:
        return []
    kept = worth_showing(text, [line - first + 1 for line in stops])
    lines = coloured(text)
    shown: list[list[Any]] = []
    before = 0
    for number in kept:
        if number - before > 1:
            shown.append([0, number - before - 1])
        pieces = [[piece.kind, plain_lines(piece.text)] for piece in lines[number - 1]]
        shown.append([first + number - 1, pieces])
        before = number
    return _dedented(shown)


def _dedented(shown: list[list[Any]]) -> list[list[Any]]:
    """Take the indentation of the first line off every line that has it."""
    first = next((line[1][0][1] for line in shown if line[0] and line[1]), "")
    indent = first[: len(first) - len(first.lstrip())] if first.strip() == "" or first[:1] == " " else ""
    for line in shown:
        if indent and line[0] and line[1] and line[1][0][1].startswith(indent):
            line[1][0][1] = line[1][0][1].removeprefix(indent)
    return shown


def _lab(result: LabResult) -> dict[str, str]:
    return {
        "statement": plain(result.lab.statement),
        "by": plain(result.lab.said_by),
        "command": f"fxanchor lab run {result.lab.name}",
        "verdict": result.verdict,
        "torch": plain(result.torch),
        "output": plain_lines(lab_output(result)),
    }


def _quote(quote: Quote) -> dict[str, Any]:
    return {"text": plain(quote.text), "section": plain(quote.section), "page": quote.page, "line": quote.line}
