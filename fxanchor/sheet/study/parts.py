"""The parts of a sheet beside its cards, in their order; each knows its title and gives its lines."""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fxanchor.concepts.claims import Claim
from fxanchor.model.report import Blocker
from fxanchor.sheet.escape import code_block, code_span, markdown, shortened
from fxanchor.sheet.study.about import first_sentence
from fxanchor.sheet.study.card import docstring
from fxanchor.sheet.study.content import Study, followed_node, model_name
from fxanchor.sheet.study.mermaid import folded, model_graph, value_path
from fxanchor.sheet.study.notes import box
from fxanchor.sheet.study.options import Language
from fxanchor.sheet.study.words import english, say

_REFUSED_MOST = 60
_CODE = 160
_RAISES = 3
_LITERAL = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_DOTTED = re.compile(r"[\w.<>]+")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the sheet.

    Attributes:
        name: What its page is called when the sheet is split.
        title: Its heading, as markdown.
        lines: Its lines, without the heading.
    """

    name: str
    title: str
    lines: tuple[str, ...]


def parts(study: Study, language: Language) -> Iterator[Part]:
    """Give the parts that have something to say."""
    writers: tuple[tuple[str, Callable[[Study, Language], Iterator[str]]], ...] = (
        ("value path", _value_path),
        ("blockers", _blockers),
        ("claims", _claims),
        ("api", _api),
        ("moved title", _moved),
        ("not names", _not_names),
    )
    for key, write in writers:
        lines = tuple(write(study, language))
        if lines:
            yield Part(key.replace(" ", "-"), say(key, language), lines)
        if key == "value path":
            yield from _graphs(study, language)


def _value_path(study: Study, language: Language) -> Iterator[str]:
    for model in study.models:
        node = followed_node(model)
        if node is None or node.trigger is None:
            continue
        made = [line for line in model.trace.capture.code.splitlines() if line.strip().startswith(f"{node.name} = ")]
        if not made:
            continue
        yield say(
            "value path text",
            language,
            expression=code_span(shortened(node.trigger.expression, _CODE)),
            place=code_span(f"{node.trigger.file}:{node.trigger.line}"),
            node=code_span(node.name),
        )
        yield ""
        yield code_block(made[0].strip())
        yield ""
        yield from value_path(model, node, made[0].strip(), language)
        return


def _graphs(study: Study, language: Language) -> Iterator[Part]:
    for number, model in enumerate(study.models, 1):
        nodes = model.trace.capture.nodes
        if nodes:
            lines = [say("graph folded", language, count=len(nodes)), ""] if folded(nodes) else []
            name = "graph" if len(study.models) == 1 else f"graph-{number}"
            title = say("graph", language, model=markdown(model_name(model)))
            yield Part(name, title, (*lines, *model_graph(nodes)))


def _blockers(study: Study, language: Language) -> Iterator[str]:
    found = [(model, blocker) for model in study.models for blocker in model.trace.capture.blockers]
    if found:
        yield say("blockers text", language)
        yield ""
    for number, (_, blocker) in enumerate(found, 1):
        yield from _blocker(number, blocker, language)


def _blocker(number: int, blocker: Blocker, language: Language) -> Iterator[str]:
    place = code_span(f"{blocker.file}:{blocker.line}:{blocker.col}")
    yield f"{number}. {place} {code_span(shortened(blocker.expression, _CODE))}"
    told = []
    if blocker.explanation:
        told.append(english(docstring(_LITERAL.sub(r"``\1``", blocker.explanation)), language))
    if blocker.silent:
        told.append(say("silent", language))
    elif blocker.message:
        # Where compiled code raises, there is no symbol, and who raised is told in English words.
        symbol = blocker.raised_at.symbol if blocker.raised_at else ""
        by = say("raised in", language, symbol=code_span(symbol))
        where = say("comma", language) + by if _DOTTED.fullmatch(symbol) else ""
        told.append(f"{say('raises', language)} {code_span(shortened(blocker.message, _CODE))}{where}")
    for line in told:
        yield ""
        yield f"    {line}"
    recipe = next((one for one in blocker.recipes if one.verified), None)
    if recipe is not None:
        yield ""
        yield f"    {say('way past', language, title=markdown(recipe.title))}"
        yield ""
        yield from (f"    {line}".rstrip() for line in code_block(recipe.change).splitlines())
    yield ""


def _claims(study: Study, language: Language) -> Iterator[str]:
    if study.claims:
        yield say("claims text", language)
        yield ""
    for claim in study.claims:
        yield from _claim(claim, study, language)


def _claim(claim: Claim, study: Study, language: Language) -> Iterator[str]:
    section = f"{markdown(claim.section)}, " if claim.section else ""
    place = f"{section}{say('page', language, number=claim.page)}"
    identity = "claim:" + hashlib.sha256(claim.sentence.encode()).hexdigest()[:12]
    yield box(f"“{markdown(claim.sentence)}” ({place})", identity, "seen")
    # That a sentence speaks of a module says nothing of who must keep it.
    for ground in (one for one in claim.grounds if one.definition.kind != "module"):
        definition = ground.definition
        link = study.mapped.index.permalink(definition)
        name = code_span(definition.name)
        yield f"    - {say('rests on', language)} {f'[{name}]({link})' if link else name}"
        raised = {(item.exception, item.message): item for item in ground.raises if item.exception}
        for item in list(raised.values())[:_RAISES]:
            message = code_span(shortened(item.message, _CODE)) or "…"
            yield f"    - {say('gives up at', language)} {code_span(item.exception)}: {message}"


def _api(study: Study, language: Language) -> Iterator[str]:
    found, index = study.mapped.found, study.mapped.index
    if found.named_in_paper:
        yield f"**{say('api named', language)}**"
        yield ""
        yield ", ".join(code_span(name) for name in found.named_in_paper)
        yield ""
    if found.not_in_paper:
        yield f"**{say('api unnamed', language)}**"
        yield ""
    for name in found.not_in_paper:
        definition = index.resolve(name)
        doc = first_sentence(definition.doc) if definition else ""
        link = index.permalink(definition) if definition else ""
        shown = f"[{code_span(name)}]({link})" if link else code_span(name)
        yield f"- {shown}{f': “{docstring(doc)}”' if doc else ''}"
    missing = [concept for concept in found.concepts if concept.status == "missing"]
    if missing:
        yield ""
        yield f"**{say('api missing', language)}**"
        yield ""
        yield ", ".join(code_span(concept.name) for concept in missing)


def _moved(study: Study, language: Language) -> Iterator[str]:
    gone = [concept for concept in study.mapped.found.concepts if concept.status in ("moved", "missing")]
    if not gone:
        yield say("nothing moved", language)
    for concept in gone:
        reason = english(markdown(concept.reason), language)
        if language is Language.en:
            yield f"- {code_span(concept.name)}: {reason}"
        else:
            now = f" {code_span(concept.public_name or concept.symbol)}" if concept.status == "moved" else ""
            named = concept.mentions[0].surface if now and concept.mentions else concept.name
            yield f"- {code_span(named)}：{say(concept.status, language)}{now}。{reason}"


def _not_names(study: Study, language: Language) -> Iterator[str]:
    words = [concept for concept in study.mapped.found.concepts if concept.status == "refused"][:_REFUSED_MOST]
    for concept in words:
        reason = english(markdown(concept.reason), language)
        yield f"- {code_span(concept.name)}{say('colon', language)}{reason}"
