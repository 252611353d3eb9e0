"""Blocks turned into passages: lines joined into text a person would read, every piece with its place."""

import re
from collections.abc import Sequence

from fxanchor.paper.blocks import Block
from fxanchor.paper.builder import TextBuilder
from fxanchor.paper.document import Passage
from fxanchor.paper.lines import Line
from fxanchor.paper.listings import build_listing
from fxanchor.paper.repairs import HYPHENS, between_lines, compose_accents, readable, straight
from fxanchor.paper.spans import Span
from fxanchor.paper.style import Style
from fxanchor.paper.vocabulary import Vocabulary

_IDEOGRAPH = re.compile("[\u2e80-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff00-\uffef]")
_LOOSE = "\u00b4\u00a8\u02c6\u02dc\u02c7\u02d8\u02da\u02dd\u00af\u02d9"
_MARK = re.compile(r"[\d,∗*†‡§¶\s]+")
# What stands before a span, and the span with its repaired text.
Glued = tuple[str, tuple[str, Span]]

_SENTENCE_END = re.compile(r"[.?!:。？！：][\"”’)\]]*$")


def build_passages(blocks: Sequence[Block], style: Style, words: Vocabulary) -> list[Passage]:
    """Turn blocks into passages, reading a sentence on that a float, a column or a page has interrupted.

    Args:
        blocks: The blocks in reading order.
        style: What is usual in the paper.
        words: What the paper writes in one piece.
    """
    marks = {(block.lines[0].page, block.mark) for block in blocks if block.mark}
    taken: set[int] = set()
    passages = []
    for index, block in enumerate(blocks):
        if index in taken:
            continue
        if block.role == "listing":
            passages.append(build_listing(block, style))
            continue
        lines = list(block.lines)
        if block.role in ("prose", "reference", "footnote"):
            position = index
            while (after := _continuation(blocks, position, lines, style)) is not None:
                taken.add(after)
                lines.extend(blocks[after].lines)
                position = after
        passages.append(_running(block, lines, style, words, marks))
    return [passage for passage in passages if passage.text.strip()]


def _continuation(blocks: Sequence[Block], index: int, lines: Sequence[Line], style: Style) -> int | None:
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
    if abs(first.size - last.size) > 0.07 * last.size or (following.fresh and not moved and not interrupted):
        return None
    if not moved and not interrupted:
        return None
    left, _ = style.edge(first)
    indented = first.x0 - left > 0.7 * first.size
    if open_end:
        return after if not indented or readable(first.text)[:1].islower() or text[-1:] in HYPHENS else None
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
        spans = _spoken(block, line, index, marks)
        if builder.pieces and spans:
            if block.role in ("table", "contents"):
                builder.put("\n")
            else:
                _join(builder, spans, style, words)
        for glue, text, span in _glued(spans):
            builder.put(glue)
            builder.put_span(text, span, line)
    return Passage(block.role, block.section, builder.text, tuple(builder.pieces), block.label)


def _join(builder: TextBuilder, spans: Sequence[Glued], style: Style, words: Vocabulary) -> None:
    first = ""
    for position, (glue, (text, _)) in enumerate(spans):
        if position and glue:
            break
        first += text
    right = re.match(r"\S*", first)
    cut, glue = between_lines(
        builder.last_word(),
        right.group() if right else "",
        left_code=builder.ends_in_code,
        right_code=spans[0][1][1].font.name in style.code,
        known=words.count,
    )
    if cut:
        builder.take_back(cut)
    builder.put(glue)


def _spoken(block: Block, line: Line, index: int, marks: set[tuple[int, str]]) -> list[Glued]:
    """Return the spans of a line as (what stands before, (text, span)), without the marks of its footnotes."""
    found: list[Glued] = []
    for position, span in enumerate(line.spans):
        glue = " " if position and line.gaps[position - 1] else ""
        if line.is_raised(span) and _MARK.fullmatch(span.text):
            own = block.role == "footnote" and not index and not position
            if own or (position and any((line.page, mark) in marks for mark in re.split(r"[,\s]+", span.text))):
                continue
            glue = " " if found else ""
        elif position and line.is_raised(line.spans[position - 1]) and not glue:
            glue = "" if not _MARK.fullmatch(line.spans[position - 1].text) or not span.text[0].isalnum() else " "
        if glue and found and _closes_ideographs(found[-1][1], (span.text, span)):
            glue = ""
        text = straight(span.text) if span.font.mono else readable(span.text)
        found.append((glue if found else "", (text, span)))
    return found


def _closes_ideographs(left: tuple[str, Span], right: tuple[str, Span]) -> bool:
    """Tell whether a gap between ideographs is spacing, not a blank."""
    if not (_IDEOGRAPH.match(left[0][-1:]) and _IDEOGRAPH.match(right[0][:1])):
        return False
    return right[1].x0 - left[1].x1 < 0.8 * right[1].size


def _glued(spans: Sequence[Glued]) -> list[tuple[str, str, Span]]:
    """Compose accents, also where the accent ends one span and its letter starts the next."""
    out: list[tuple[str, str, Span]] = []
    carried = ""
    for position, (glue, (own, span)) in enumerate(spans):
        text, carried = carried + own, ""
        if span.font.mono:
            out.append((glue, text, span))
            continue
        following = spans[position + 1] if position + 1 < len(spans) else None
        if text[-1:] in _LOOSE and following is not None and not following[1][1].font.mono and text[-1:]:
            text, carried = text[:-1], text[-1]
            if following[0]:
                spans = [*spans[: position + 1], ("", following[1]), *spans[position + 2 :]]
        out.append((glue, compose_accents(text), span))
    return out
