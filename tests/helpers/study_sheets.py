"""The study of the shipped primer and model, made once for all tests of sheets, and a look at what renderers see."""

import re
from collections.abc import Iterator
from functools import cache

import pytest
from helpers.project import MODEL, PRIMER, ROOT
from markdown_it import MarkdownIt
from markdown_it.token import Token

from fxanchor.sheet.study.content import Study
from fxanchor.sheet.study.make import study_of
from fxanchor.sheet.study.options import SheetRequest

REQUEST = SheetRequest(
    paper=PRIMER.relative_to(ROOT).as_posix(), models=(MODEL.relative_to(ROOT).as_posix(),), claims=True
)
_WORDS = r"(?:[^\n#;<>{}\[\]|`\"&]|#\d+;)+"
_MERMAID_LINE = {
    # A bare `;` ends a statement and a bare `#` begins a code: `#59;` is how either is written.
    "sequenceDiagram": re.compile(rf"    participant \w+ as {_WORDS}(<br/>{_WORDS})?|    \w+(->>|-->>)\w+: {_WORDS}"),
    "flowchart TD": re.compile(rf'    n\d+\["{_WORDS}"\]|    n\d+ --> n\d+'),
}


@cache
def primer_study() -> Study:
    """Return the study of the primer and the model that ship; the model and the experiments run once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return study_of(REQUEST)


def tokens(text: str) -> list[Token]:
    """Return a page as markdown-it reads it, tables included and the front matter left out."""
    if text.startswith("---\n"):
        text = text.partition("\n---\n")[2]
    return MarkdownIt("commonmark").enable("table").parse(text)


def faults(text: str) -> Iterator[str]:
    """Give what would render otherwise than it is meant: a ragged table, an open fence, an open fold."""
    read = tokens(text)
    columns = cells = 0
    for token in read:
        if token.type == "tr_open":
            cells = 0
        elif token.type in ("th_open", "td_open"):
            cells += 1
        elif token.type == "tr_close":
            columns = columns or cells
            if cells != columns:
                yield f"a row of {cells} cells in a table of {columns}"
        elif token.type == "table_close":
            columns = 0
    for fence in (token for token in read if token.type == "fence"):
        assert fence.map is not None
        lines = text.partition("\n---\n")[2].split("\n")[fence.map[0] : fence.map[1]]
        if lines[-1].strip() != fence.markup:
            yield f"a fence that is not closed: {lines[0]}"
    html = "".join(token.content for token in read if token.type == "html_block")
    if html.count("<details") != html.count("</details>"):
        yield "a fold that is not closed"
    if "|---" in text or any("| ---" in token.content for token in read if token.type == "inline"):
        yield "a table that is not read as one"


def mermaid_faults(text: str) -> Iterator[str]:
    """Give the lines of a page's mermaid drawings that are outside the part of mermaid that sheets use."""
    for fence in (token for token in tokens(text) if token.type == "fence" and token.info == "mermaid"):
        first, *lines = fence.content.rstrip("\n").split("\n")
        if first not in _MERMAID_LINE:
            yield first
            continue
        yield from (line for line in lines if not _MERMAID_LINE[first].fullmatch(line))


def drawings(text: str) -> list[str]:
    """Return the mermaid drawings of a page."""
    return [token.content for token in tokens(text) if token.type == "fence" and token.info == "mermaid"]
