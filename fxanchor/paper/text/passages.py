"""Blocks turned into passages: lines joined into text a person would read, every piece with its place."""

import re
from collections.abc import Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple

from fxanchor.paper.document import Passage, Pieces
from fxanchor.paper.page.lines import RAISED, Line
from fxanchor.paper.page.style import Style
from fxanchor.paper.parts.blocks import Block, alike
from fxanchor.paper.parts.cells import ITEM, same_column
from fxanchor.paper.pdf.spans import Span
from fxanchor.paper.text.builder import TextBuilder
from fxanchor.paper.text.listings import build_listing
from fxanchor.paper.words.repairs import HYPHENS, between_lines, compose_accents, is_ideograph, readable, straight
from fxanchor.paper.words.vocabulary import Vocabulary

_ACCENT = re.compile("[\u00b4\u00a8\u02c6\u02dc\u02c7\u02d8\u02da\u02dd\u00af\u02d9\u00b8]")
# So many paragraphs tell whether they are set in.
_ENOUGH = 4
_MARK = re.compile(r"[\d,∗*†‡§¶\s]+")
_SENTENCE_END = re.compile(r"[.?!:。？！：][\"”’)\]]*$")


class _Word(NamedTuple):
    """A span to be put into a text: what goes before it, and its repaired text."""

    glue: str
    text: str
    span: Span


def build_passages(blocks: Sequence[Block], style: Style, words: Vocabulary) -> list[Passage]:
    """Turn blocks into passages, reading a sentence on that a float, a column or a page has interrupted.

    The lines lose their spans when they have become text, so that a book is never held twice.

    Args:
        blocks: The blocks in reading order.
        style: What is usual in the paper.
        words: What the paper writes in one piece.
    """
    indents = _indents(blocks, style)
    marks = {(block.lines[0].page, block.mark) for block in blocks if block.mark}
    taken: set[int] = set()
    passages = []
    for index, block in enumerate(blocks):
        if index in taken:
            continue
        if block.role == "listing":
            passages.append(build_listing(block, style))
            _let_go(block.lines)
            continue
        lines = list(block.lines)
        if block.role in ("prose", "reference", "footnote"):
            position = index
            while (after := _continuation(blocks, position, lines, style, indents=indents)) is not None:
                taken.add(after)
                lines.extend(blocks[after].lines)
                position = after
        passages.append(_running(block, lines, style, words, marks))
        _let_go(lines)
    return [passage for passage in passages if passage.text.strip()]


def _let_go(lines: Sequence[Line]) -> None:
    for line in lines:
        line.spans = []


def _indents(blocks: Sequence[Block], style: Style) -> bool:
    """Tell whether the paper sets in the first lines of its paragraphs."""
    firsts = [
        block.lines[0]
        for above, block in pairwise(blocks)
        if above.role == block.role == "prose" and same_column(above.lines[-1], block.lines[0])
    ]
    count = sum(0.7 * line.size < line.x0 - style.edge(line)[0] < 4 * line.size for line in firsts)
    return count >= _ENOUGH and count > 0.7 * len(firsts)


def _continuation(
    blocks: Sequence[Block], index: int, lines: Sequence[Line], style: Style, *, indents: bool
) -> int | None:
    """Return the index of the block that goes on with an interrupted one, or None."""
    block, last = blocks[index], lines[-1]
    text = last.text.rstrip()
    open_end = text[-1:] in HYPHENS or not _SENTENCE_END.search(text)
    after = index + 1
    while after < len(blocks) and _is_aside(blocks[after], block):
        after += 1
    if after >= len(blocks) or blocks[after].role != block.role or blocks[after].section != block.section:
        return None
    following = blocks[after]
    first = following.lines[0]
    moved = (first.page, first.column) != (last.page, last.column)
    interrupted = after > index + 1
    if not alike(first, last, 0.12) or (following.fresh and not moved and not interrupted):
        return None
    if not moved and not interrupted:
        return None
    left, _ = style.edge(first)
    at_edge = abs(first.x0 - left) < 0.3 * first.size
    indented = first.x0 - left > 0.7 * first.size
    if open_end:
        return after if not indented or readable(first.text)[:1].islower() or text[-1:] in HYPHENS else None
    # A sentence can end where a column does, in the middle of a paragraph.
    full = abs(last.x1 - style.edge(last)[1]) < 0.5 * last.size and last.font == first.font == style.font
    if indents and moved and full and at_edge and block.role == "prose" and not ITEM.match(first.text):
        return after
    return None


def _is_aside(block: Block, text: Block) -> bool:
    if block.role in ("caption", "figure", "table", "footnote", "formula"):
        return block.role != text.role
    return block.role == "listing" and (bool(block.label) or block.floating)


def _running(
    block: Block, lines: Sequence[Line], style: Style, words: Vocabulary, marks: set[tuple[int, str]]
) -> Passage:
    builder = TextBuilder(style)
    for index, line in enumerate(lines):
        spoken = _with_accents(_spoken(block, line, index, marks))
        if builder.pieces and spoken:
            if block.role in ("table", "contents"):
                builder.put("\n")
            else:
                _join(builder, spoken, style, words)
        for word in spoken:
            if word.glue:
                builder.put(word.glue)
            builder.put_span(word.text, word.span, line)
    return Passage(block.role, block.section, builder.text, Pieces.of(builder.pieces), block.label)


def mend_title(title: str, lines: Sequence[Line], words: Vocabulary) -> str:
    """Return a title as it reads when what its line ends have broken is put together.

    Args:
        title: The title with its lines joined by blanks.
        lines: The lines that it is printed on.
        words: What the paper writes in one piece.
    """
    for above, below in pairwise(lines):
        left, right = (readable(line.text).split() for line in (above, below))
        if left and right and left[-1][-1] in HYPHENS:
            cut, glue = between_lines(
                left[-1],
                right[0],
                left_code=False,
                right_code=False,
                known=words.count,
                hyphenated=words.hyphenated,
                stops_in_code=words.stops_in_code,
            )
            joined = left[-1][: len(left[-1]) - cut] + glue + right[0]
            title = title.replace(f"{left[-1]} {right[0]}", joined, 1)
    return title


def _join(builder: TextBuilder, spoken: Sequence[_Word], style: Style, words: Vocabulary) -> None:
    first = spoken[0].text
    for word in spoken[1:]:
        if word.glue:
            break
        first += word.text
    cut, glue = between_lines(
        builder.last_word(),
        first.split(maxsplit=1)[0] if first.strip() else "",
        left_code=builder.ends_in_code,
        right_code=spoken[0].span.font.name in style.code,
        known=words.count,
        hyphenated=words.hyphenated,
        stops_in_code=words.stops_in_code,
    )
    if cut:
        builder.take_back(cut)
    builder.put(glue)


def _spoken(block: Block, line: Line, index: int, marks: set[tuple[int, str]]) -> list[_Word]:
    """Return the spans of a line as a person reads them, without the marks of its footnotes."""
    found: list[_Word] = []
    least = RAISED * line.size
    before: Span | None = None
    for position, span in enumerate(line.spans):
        glue = " " if position and line.gaps[position - 1] else ""
        if span.size < least and line.is_raised(span) and _MARK.fullmatch(span.text):
            own = block.role == "footnote" and not index and not position
            if own or (position and any((line.page, mark) in marks for mark in re.split(r"[,\s]+", span.text))):
                before = span
                continue
            glue = " "
        elif before is not None and before.size < least and not glue and span.text[0].isalnum():
            glue = " " if line.is_raised(before) and _MARK.fullmatch(before.text) else ""
        if glue and before is not None and before.text[-1] > "\u2e7f" and _is_spacing(before, span):
            glue = ""
        text = straight(span.text) if span.font.mono else readable(span.text)
        found.append(_Word(glue if found else "", text, span))
        before = span
    return found


def _is_spacing(left: Span, right: Span) -> bool:
    """Tell whether a gap between ideographs is spacing, not a blank."""
    if not (is_ideograph(left.text[-1]) and is_ideograph(right.text[0])):
        return False
    return right.x0 - left.x1 < 0.8 * right.size


def _with_accents(words: list[_Word]) -> list[_Word]:
    """Compose accents, also where the accent ends one span and its letter starts the next."""
    if not any(_ACCENT.search(word.text) for word in words):
        return words
    out: list[_Word] = []
    carried = _Word("", "", words[0].span)
    for word, following in zip_longest(words, words[1:]):
        if word.span.font.mono:
            out.append(word)
            continue
        # An accent that the last span ended with takes the place before this letter, whatever gap it left.
        glue = carried.glue if carried.text and not carried.span.text[:-1] else "" if carried.text else word.glue
        text = carried.text + word.text
        carried = _Word("", "", word.span)
        if text[:1] == "\u00b8" and out and out[-1].text[-1:] in tuple("CcSsTt"):
            # A cedilla is printed behind its letter.
            out[-1] = out[-1]._replace(text=compose_accents(out[-1].text + text[0]))
            text = text[1:]
        if _ACCENT.fullmatch(text[-1:]) and following is not None and not following.span.font.mono:
            carried = _Word(glue, text[-1], word.span)
            text = text[:-1]
        out.append(_Word(glue, compose_accents(text), word.span))
    return out
