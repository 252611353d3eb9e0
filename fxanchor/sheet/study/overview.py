"""The first screen of a sheet: the three questions answered, the table, and what is seen at each stop."""

from collections.abc import Callable, Iterator, Mapping

from fxanchor.breakpoints.facts import load_states
from fxanchor.sheet.anchors import inside_module
from fxanchor.sheet.escape import code_span, markdown, shortened
from fxanchor.sheet.study.card import hits_words, is_numbered, place_words, stop_name
from fxanchor.sheet.study.content import Card, ModelPart, Study, followed_node, main_stop, model_name, on_model
from fxanchor.sheet.study.options import Language
from fxanchor.sheet.study.words import say
from fxanchor.sheet.table import Cell, Column, Table, to_markdown
from fxanchor.sheet.trace_tables import trigger_words

# Rows of the table: what a screen holds.
_ROWS = 20
_STEPS = 3
_EXPRESSION = 60
_SEEN = 120

# Gives the page of a card, "" where the sheet is one page.
PageOf = Callable[[Card], str]


def start_lines(study: Study, language: Language) -> Iterator[str]:
    """Give the answers to the three questions."""
    yield f"**{say('q problem', language)}**"
    yield ""
    for quote in (study.problem, study.purpose):
        if quote is not None:
            yield f"> {markdown(quote.text)}"
            yield ">"
            yield f"> — {place_words(quote, language)}"
            yield ""
    if study.problem is None and study.purpose is None:
        yield say("no purpose", language)
        yield ""
    yield f"**{say('q path', language)}**"
    yield ""
    yield from _shortest_way(study, language)
    yield ""
    yield f"**{say('q line', language)}**"
    yield ""
    if not study.models:
        yield say("no model", language, command=code_span("fxanchor sheet PAPER MODEL"))
    for model in study.models:
        yield f"- {_first_line(model, language)}"


def table_lines(study: Study, language: Language, page_of: PageOf) -> Iterator[str]:
    """Give the table: a row for each of the most central cards, with one breakpoint and what set it off."""
    yield say("table text" if study.models else "table unproven", language)
    yield ""
    keys = ["concept", "paper", "code", "breakpoint"]
    columns = [Column(say(key, language)) for key in keys]
    if len(study.models) == 1:
        columns.append(Column(say("trigger", language)))
    elif study.models:
        columns += [Column(say("trigger of", language, model=model_name(model))) for model in study.models]
    rows = tuple(_row(card, study, language, page_of) for card in study.cards[:_ROWS])
    yield to_markdown(Table(tuple(columns), rows)).rstrip()


def states_lines(study: Study, language: Language) -> Iterator[str]:
    """Give what a run showed at each stop that shows a state of the capture; nothing when it showed none."""
    models = [model for model in study.models if model.trace.states]
    described = load_states(language.value)
    for model in models:
        yield say("states text", language, model=code_span(model_name(model)))
        yield ""
        yield _states_table(model, described, language)
        yield ""


def _first_line(model: ModelPart, language: Language) -> str:
    capture = model.trace.capture
    if not capture.ok:
        loud = next((one for one in capture.blockers if not one.silent), None)
        if loud is None:
            return say("not captured at all", language, model=code_span(model_name(model)))
        return say(
            "not captured",
            language,
            model=code_span(model_name(model)),
            place=code_span(f"{loud.file}:{loud.line}"),
            expression=code_span(shortened(loud.expression, _EXPRESSION)),
        )
    node = followed_node(model)
    if node is None or node.trigger is None:
        return say("nothing recorded", language, model=code_span(model_name(model)))
    return say(
        "first operation",
        language,
        place=code_span(f"{node.trigger.file}:{node.trigger.line}"),
        expression=code_span(shortened(node.trigger.expression, _EXPRESSION)),
        node=code_span(node.name),
    )


def _shortest_way(study: Study, language: Language) -> Iterator[str]:
    """Give the key breakpoints that a run stopped at, or the most central definitions when nothing was run."""
    proven = [anchor for model in study.models[:1] for anchor in model.anchors if anchor.proof.kind == "hit"]
    key = [anchor for anchor in proven if anchor.proof.wanted.key] or proven
    index = study.mapped.index
    for number, anchor in enumerate(key[:_STEPS], 1):
        stop = anchor.proof.wanted.stop
        symbol = code_span(inside_module(stop.symbol, index))
        at = code_span(f"b {stop.file}:{stop.line}")
        yield f"{number}. {markdown(stop_name(anchor, language))}, {symbol}: {at} ({hits_words(anchor, language)})"
    if not key and not study.cards:
        yield say("no cards", language)
    if not key:
        for number, card in enumerate(study.cards[:_STEPS], 1):
            at = f": {code_span(f'b {card.stop.file}:{card.stop.line}')}" if card.stop else ""
            yield f"{number}. {code_span(card.concept.public_name or card.identity)}{at}"


def _row(card: Card, study: Study, language: Language, page_of: PageOf) -> tuple[Cell, ...]:
    index = study.mapped.index
    places = dict.fromkeys(
        f"{'§' if is_numbered(mention.section) else ''}{mention.section} p{mention.page}".strip()
        for mention in card.concept.mentions
        if mention.status in ("linked", "moved")
    )
    cells = [
        Cell(card.concept.name, url=page_of(card)),
        Cell(next(iter(places), "") + (f" (+{len(places) - 1})" if len(places) > 1 else "")),
        Cell(inside_module(card.identity, index), code=True),
    ]
    if not study.models:
        at = f"{card.stop.file}:{card.stop.line}" if card.stop else ""
        return (*cells, Cell(at, code=bool(at)))
    stops = [main_stop(on_model(card, model)) for model in study.models]
    first = next((one for one in stops if one is not None and one.proof.kind == "hit"), None)
    if first is not None:
        stop = first.proof.wanted.stop
        cells.append(Cell(f"{stop.file}:{stop.line}", code=True))
    else:
        known = next((one for one in stops if one is not None), None)
        cells.append(Cell(say(known.proof.kind if known else "not executable", language)))
    for anchor in stops:
        cells.append(Cell(trigger_words(anchor.proof.first_trigger) if anchor is not None else "", code=True))
    return tuple(cells)


def _states_table(model: ModelPart, described: Mapping[str, str], language: Language) -> str:
    rows = []
    for state in model.trace.states:
        stop = state.proof.wanted.stop
        seen = "; ".join(f"{item.expression} → {shortened(item.value, _SEEN)}" for item in state.seen)
        words = described.get(state.proof.wanted.concept, "")
        rows.append((Cell(f"{stop.file}:{stop.line}", code=True), Cell(words), Cell(seen, code=True)))
    columns = (Column(say("breakpoint", language)), Column(say("state", language)), Column(say("seen", language)))
    return to_markdown(Table(columns, tuple(rows))).rstrip()
