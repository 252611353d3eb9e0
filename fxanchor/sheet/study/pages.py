"""Write a study sheet as a folder: an index, a page for each card and each part, tied by relative links."""

import json
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote

from fxanchor.sheet.anchors import inside_module
from fxanchor.sheet.escape import markdown
from fxanchor.sheet.study.card import card_lines
from fxanchor.sheet.study.content import Study
from fxanchor.sheet.study.front import GENERATOR
from fxanchor.sheet.study.markdown import overview_lines, page_text
from fxanchor.sheet.study.notes import Kept, places, restore
from fxanchor.sheet.study.options import SheetRequest
from fxanchor.sheet.study.parts import parts
from fxanchor.sheet.study.seal import sealed
from fxanchor.sheet.study.words import say

INDEX = "index.md"
_CARDS = "cards"


def study_pages(study: Study, request: SheetRequest, kept: Kept) -> dict[str, str]:
    """Return the text of every page by its path in the folder, with forward slashes.

    Args:
        study: What the sheet says.
        request: What it was made of.
        kept: What the reader wrote into the pages before; what has no page any more goes to the end of the index.
    """
    language = request.language
    names = page_names([card.identity for card in study.cards], study)
    pages: dict[str, str] = {}
    listed: list[tuple[str, str]] = []
    for number, card in enumerate(study.cards, 1):
        path = f"{_CARDS}/{names[card.identity]}.md"
        heading = f"{number} · {markdown(card.concept.name)}"
        body = [f"### {heading}", "", *card_lines(card, study, language)]
        pages[path] = page_text([*_head(f"{number} · {card.concept.name}"), *body, "", _back(f"../{INDEX}", request)])
        listed.append((heading, path))
    for part in parts(study, language):
        path = f"{part.name}.md"
        body = [f"## {part.title}", "", *part.lines]
        pages[path] = page_text([*_head(part.title), *body, "", _back(INDEX, request)])
        listed.append((part.title, path))
    addresses = {card.identity: f"{_CARDS}/{quote(names[card.identity])}.md" for card in study.cards}
    front = [*overview_lines(study, request, lambda card: addresses[card.identity])]
    links = [f"- [{title}]({quote(path)})" for title, path in listed]
    pages[INDEX] = page_text([*front, "", f"## {say('pages', language)}", "", *links])
    return _restored(pages, kept, request)


def page_names(identities: Iterable[str], study: Study) -> dict[str, str]:
    """Return a file name without ending for each definition: short, the same on every run, and no two alike.

    Names that differ in case alone are one file on many disks; such get the module in front.
    """
    identities = list(identities)
    short = {identity: _file_name(inside_module(identity, study.mapped.index)) for identity in identities}
    taken: dict[str, int] = {}
    for name in short.values():
        taken[name.casefold()] = taken.get(name.casefold(), 0) + 1
    names: dict[str, str] = {}
    used: set[str] = set()
    for identity in sorted(identities):
        name = short[identity] if taken[short[identity].casefold()] == 1 else _file_name(identity)
        while name.casefold() in used:
            name += "_"
        used.add(name.casefold())
        names[identity] = name
    return names


def _file_name(symbol: str) -> str:
    return "".join(char if char.isalnum() or char in "._-" else "-" for char in symbol.replace(".<locals>", ""))


def _head(title: str) -> Iterator[str]:
    yield "---"
    yield f"generator: {GENERATOR}"
    yield f"title: {json.dumps(title, ensure_ascii=False)}"
    yield "---"
    yield ""


def _back(address: str, request: SheetRequest) -> str:
    return f"[{say('back', request.language)}]({address})"


def _restored(pages: Mapping[str, str], kept: Kept, request: SheetRequest) -> dict[str, str]:
    """Put the reader's notes and ticks into their pages; those whose card is gone to the end of the index."""
    return {path: sealed(restore(text, _of_page(path, pages, kept), request.language)) for path, text in pages.items()}


def _of_page(path: str, pages: Mapping[str, str], kept: Kept) -> Kept:
    """Return what belongs on a page: what has a place there, and on the index what has none anywhere."""
    others = "".join(pages.values()) if path == INDEX else ""
    here, elsewhere = places(pages[path]), places(others)
    notes = {
        key: note for key, note in kept.notes.items() if key in here.notes or (others and key not in elsewhere.notes)
    }
    ticked = {tick for tick in kept.ticked if tick in here.ticked or (others and tick not in elsewhere.ticked)}
    return Kept(notes, frozenset(ticked))
