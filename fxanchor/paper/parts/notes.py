"""Footnotes belong to the section that calls them, not to the one that ends above them on the page."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fxanchor.paper.page.lines import RAISED, Line

if TYPE_CHECKING:
    from fxanchor.paper.parts.blocks import Block

_SENTENCE_END = re.compile(r"[.?!。？！][\"”’)\]]*$")


def place_notes(blocks: "Sequence[Block]") -> None:
    """Give each footnote the section of the line on its page that carries its mark, where there is one.

    Args:
        blocks: The blocks of a paper in reading order.
    """
    wanted: dict[int, set[str]] = defaultdict(set)
    for block in blocks:
        if block.role == "footnote" and block.mark:
            wanted[block.lines[0].page].add(block.mark)
    if not wanted:
        return
    # Where each mark of a page was called last, and what waits for a call further down.
    called: dict[tuple[int, str], str] = {}
    waiting: dict[tuple[int, str], Block] = {}
    last: Block | None = None
    for block in blocks:
        if block.role == "footnote":
            key = (block.lines[0].page, block.mark)
            if not block.mark:
                # A note that is broken over the page goes on without its mark.
                if last is not None and not _SENTENCE_END.search(last.lines[-1].text):
                    block.section = last.section
            elif key in called:
                block.section = called[key]
            else:
                waiting[key] = block
            last = block
            continue
        for line in block.lines:
            if line.page not in wanted:
                continue
            for mark in _calls(line):
                key = (line.page, mark)
                called[key] = block.section
                if (note := waiting.pop(key, None)) is not None:
                    note.section = block.section


def _calls(line: Line) -> Iterator[str]:
    """Give the raised marks behind the words of a line; behind a formula or a number they are exponents."""
    least = RAISED * line.size
    for before, span in zip(line.spans, line.spans[1:], strict=False):
        if span.size < least and line.is_raised(span) and not before.font.math and not before.text[-1:].isdigit():
            yield from re.split(r"[,\s]+", span.text)
