"""Write a study sheet as markdown that GitHub, Obsidian and MkDocs all render."""

from collections.abc import Iterator, Sequence

from fxanchor.sheet.anchors import Anchor
from fxanchor.sheet.escape import code_block, code_span, markdown
from fxanchor.sheet.mapping import package_name
from fxanchor.sheet.study.card import card_lines
from fxanchor.sheet.study.content import ModelPart, Study, followed_node
from fxanchor.sheet.study.mermaid import model_graph, value_path
from fxanchor.sheet.study.options import Language
from fxanchor.sheet.study.words import say
from fxanchor.sheet.table import Cell, Column, Table, to_markdown
from fxanchor.sheet.trace_tables import paper_places, trigger_words

_WHY_MOST = 60


def study_markdown(study: Study, language: Language = Language.en) -> str:
    """Return the whole sheet.

    Args:
        study: What it says.
        language: Of the sheet's own words.
    """
    lines: list[str] = []
    for part in (_front, _start, _table, _cards, _value_paths, _graphs, _blockers, _api, _moved, _not_names):
        lines.extend(part(study, language))
        if lines and lines[-1]:
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _front(study: Study, language: Language) -> Iterator[str]:
    paper, index = study.mapped.paper, study.mapped.index
    yield "---"
    yield "generator: fxanchor"
    yield f"title: {_yaml(paper.title or study.mapped.file.name)}"
    yield f"paper_sha256: {paper.sha256}"
    yield f"pages: {paper.pages}"
    yield f"source: {_yaml(package_name(index))}"
    for model in study.models:
        yield f"model: {_yaml(_model_name(model))}"
    yield "---"
    yield ""
    yield f"# {say('study sheet', language)}: {markdown(paper.title or study.mapped.file.name)}"


def _start(study: Study, language: Language) -> Iterator[str]:
    yield f"## {say('start here', language)}"
    yield ""
    yield f"**{say('q problem', language)}** "
    if study.purpose is None:
        yield say("no purpose", language)
    else:
        quote = study.purpose
        where = f"{quote.section}, p{quote.page}" if quote.section else f"p{quote.page}"
        yield f"“{markdown(quote.text)}” ({markdown(where)})"
    yield ""
    yield f"**{say('q path', language)}**"
    yield ""
    yield from _shortest_way(study)
    yield ""
    yield f"**{say('q line', language)}**"
    if not study.models:
        yield say("no model", language, command=code_span("fxanchor sheet PAPER MODEL"))
    for model in study.models:
        first = next((anchor.proof.first_trigger for anchor in model.anchors if anchor.proof.first_trigger), None)
        if not model.trace.capture.ok or first is None:
            yield markdown(say("not captured", language, model=_model_name(model)))
        else:
            yield f"{code_span(f'{first.file}:{first.line}')} {code_span(first.expression)}"


def _shortest_way(study: Study) -> Iterator[str]:
    """Give the first three concepts that a run stopped at, or the most central ones when nothing was run."""
    proven = [anchor for model in study.models[:1] for anchor in model.anchors if anchor.proof.kind == "hit"]
    key = [anchor for anchor in proven if anchor.proof.wanted.key] or proven
    if key:
        for number, anchor in enumerate(key[:3], 1):
            stop = anchor.proof.wanted.stop
            yield f"{number}. {markdown(anchor.name)}: `b {stop.file}:{stop.line}` ({anchor.proof.hits}×)"
        return
    for number, card in enumerate(study.cards[:3], 1):
        at = f": `b {card.stop.file}:{card.stop.line}`" if card.stop else ""
        yield f"{number}. {code_span(card.concept.public_name or card.concept.symbol)}{at}"


def _table(study: Study, language: Language) -> Iterator[str]:
    yield f"## {say('table', language)}"
    yield ""
    columns = tuple(Column(say(key, language)) for key in ("concept", "paper", "code", "breakpoint", "trigger"))
    rows = []
    if study.models:
        index = study.mapped.index
        for model in study.models:
            for anchor in _one_screen(model.anchors):
                stop, definition = anchor.proof.wanted.stop, anchor.definition
                url = index.permalink(definition) if definition else ""
                at = f"{stop.file}:{stop.line}" if anchor.proof.kind == "hit" else say(anchor.proof.kind, language)
                rows.append(
                    (
                        Cell(anchor.name),
                        Cell(paper_places(anchor)),
                        Cell(stop.symbol.removeprefix(index.packages[0].name + "."), code=True, url=url),
                        Cell(at, code=anchor.proof.kind == "hit"),
                        Cell(trigger_words(anchor.proof.first_trigger)),
                    )
                )
    else:
        for card in study.cards:
            mention = card.quotes[0] if card.quotes else None
            rows.append(
                (
                    Cell(card.concept.name),
                    Cell(f"{mention.section} p{mention.page}".strip() if mention else ""),
                    Cell(card.identity, code=True, url=card.excerpt.permalink if card.excerpt else ""),
                    Cell(f"{card.stop.file}:{card.stop.line}" if card.stop else "", code=True),
                    Cell(""),
                )
            )
    yield to_markdown(Table(columns, tuple(rows))).rstrip()


def _one_screen(anchors: Sequence[Anchor]) -> Iterator[Anchor]:
    """Give the first breakpoint of each definition that the paper speaks of; the cards have all of them."""
    seen: set[str] = set()
    for anchor in anchors:
        symbol = anchor.proof.wanted.stop.symbol
        if symbol not in seen and (anchor.mentions or anchor.proof.wanted.key):
            seen.add(symbol)
            yield anchor


def _cards(study: Study, language: Language) -> Iterator[str]:
    yield f"## {say('cards', language)}"
    yield ""
    for number, card in enumerate(study.cards, 1):
        yield from card_lines(number, card, study, language)
        yield ""


def _value_paths(study: Study, language: Language) -> Iterator[str]:
    for model in study.models:
        node = followed_node(model)
        if node is None or node.trigger is None:
            continue
        yield f"## {say('value path', language)}"
        yield ""
        made = [line for line in model.trace.capture.code.splitlines() if line.strip().startswith(f"{node.name} = ")]
        yield say(
            "value path text",
            language,
            expression=code_span(node.trigger.expression),
            place=code_span(f"{node.trigger.file}:{node.trigger.line}"),
            node=code_span(node.name),
        )
        yield ""
        if made:
            yield code_block(made[0].strip())
            yield ""
        yield from value_path(model, node, language)
        return


def _graphs(study: Study, language: Language) -> Iterator[str]:
    for model in study.models:
        if model.trace.capture.nodes:
            yield f"## {say('graph', language, model=markdown(_model_name(model)))}"
            yield ""
            yield from model_graph(model.trace.capture.nodes)
            yield ""


def _blockers(study: Study, language: Language) -> Iterator[str]:
    rows = []
    for model in study.models:
        for blocker in model.trace.capture.blockers:
            tried = [recipe.change for recipe in blocker.recipes if recipe.verified][:1]
            rows.append(
                (
                    Cell(f"{blocker.file}:{blocker.line}:{blocker.col}", code=True),
                    Cell(blocker.expression, code=True),
                    Cell(blocker.explanation),
                    Cell("".join(tried), code=True),
                )
            )
    if rows:
        yield f"## {say('blockers', language)}"
        yield ""
        yield say("blockers text", language)
        yield ""
        columns = (Column(say("line", language)), Column(say("code", language)), Column("?"), Column("✓"))
        yield to_markdown(Table(columns, tuple(rows))).rstrip()


def _api(study: Study, language: Language) -> Iterator[str]:
    found = study.mapped.found
    yield f"## {say('api', language)}"
    yield ""
    for key, names in (("api named", found.named_in_paper), ("api unnamed", found.not_in_paper)):
        if names:
            yield f"- {say(key, language)}: {', '.join(code_span(name) for name in names)}"


def _moved(study: Study, language: Language) -> Iterator[str]:
    yield f"## {say('moved title', language)}"
    yield ""
    gone = [concept for concept in study.mapped.found.concepts if concept.status in ("moved", "missing")]
    if not gone:
        yield say("nothing moved", language)
    for concept in gone:
        yield f"- {code_span(concept.name)}: {markdown(concept.reason)}"


def _not_names(study: Study, language: Language) -> Iterator[str]:
    words = [concept for concept in study.mapped.found.concepts if concept.status == "refused"]
    if words:
        yield f"## {say('not names', language)}"
        yield ""
        for concept in words[:_WHY_MOST]:
            yield f"- {code_span(concept.name)}: {markdown(concept.reason)}"


def _model_name(model: ModelPart) -> str:
    capture = model.trace.capture
    return f"{capture.file}:{capture.target}" if capture.target else capture.file


def _yaml(text: str) -> str:
    """Return a double-quoted YAML scalar."""
    from fxanchor.sheet.escape import plain

    return '"' + plain(text).replace("\\", "\\\\").replace('"', '\\"') + '"'
