"""Write a study sheet as markdown that GitHub, Obsidian and MkDocs all render, on one page."""

import re
from collections.abc import Iterator, Sequence

from fxanchor.sheet.escape import markdown
from fxanchor.sheet.study.card import card_lines
from fxanchor.sheet.study.content import Study
from fxanchor.sheet.study.front import front_matter, title_of
from fxanchor.sheet.study.options import SheetRequest
from fxanchor.sheet.study.overview import PageOf, start_lines, states_lines, table_lines
from fxanchor.sheet.study.parts import parts
from fxanchor.sheet.study.words import say

_FENCE = re.compile(r"\s*(`{3,})")


def study_markdown(study: Study, request: SheetRequest) -> str:
    """Return the whole sheet as one page.

    Args:
        study: What it says.
        request: What it was made of.
    """
    language = request.language
    lines = [*overview_lines(study, request, lambda _: "")]
    lines += [f"## {say('cards', language)}", ""]
    for number, card in enumerate(study.cards, 1):
        lines += [f"### {number} · {markdown(card.concept.name)}", "", *card_lines(card, study, language), ""]
    for part in parts(study, language):
        lines += [f"## {part.title}", "", *part.lines, ""]
    return page_text(lines)


def overview_lines(study: Study, request: SheetRequest, page_of: PageOf) -> Iterator[str]:
    """Give the lines that a sheet begins with: front matter, the three questions, the table and the states.

    Args:
        study: What it says.
        request: What it was made of.
        page_of: Gives the address of a card's page, or "" where the sheet is one page.
    """
    language = request.language
    yield from front_matter(study, request)
    yield ""
    yield f"# {say('study sheet', language)}{say('colon', language)}{markdown(title_of(study))}"
    yield ""
    yield f"## {say('start here', language)}"
    yield ""
    yield from start_lines(study, language)
    yield ""
    yield f"## {say('table', language)}"
    yield ""
    yield from table_lines(study, language, page_of)
    yield ""
    if states := list(states_lines(study, language)):
        yield f"## {say('states', language)}"
        yield ""
        yield from states


def page_text(lines: Sequence[str]) -> str:
    """Return lines as the text of a page, never with two empty lines in a row outside code."""
    kept: list[str] = []
    fence = ""
    for line in "\n".join(lines).rstrip().split("\n"):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and line.strip() == fence:
            fence = ""
        if line or fence or not kept or kept[-1]:
            kept.append(line)
    return "\n".join(kept) + "\n"
