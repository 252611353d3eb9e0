"""Listings put back as they were typed: indentation and blanks from where the characters stand."""

import re
from collections.abc import Sequence
from itertools import pairwise

from fxanchor.paper.document import Passage, Pieces
from fxanchor.paper.page.lines import Line, cell
from fxanchor.paper.page.style import Style, middle
from fxanchor.paper.parts.blocks import Block
from fxanchor.paper.pdf.spans import WORD_GAP, Span
from fxanchor.paper.text.builder import TextBuilder
from fxanchor.paper.words.repairs import straight

# What listing packages print before the rest of a line that was too long.
_WRAPPED = re.compile("[\u21aa\u2192\u21b3\u2937\u21b5\u0592\u27a5\u2026\ufffd]{1,3}")
_MOST_BLANK_LINES = 3
_WIDEST_PITCH = 1.4
# Cells of a text font that a line can start off its place.
_JITTER = 0.8


def build_listing(block: Block, style: Style) -> Passage:
    """Turn the lines of a listing into code.

    Args:
        block: The listing.
        style: What is usual in the paper.
    """
    builder = TextBuilder(style)
    step = _step(block.lines) or style.line_step(middle(line.size for line in block.lines))
    rows = _rows(block.lines)
    pitch, level = _pitch([spans for _, spans, _ in rows])
    blank = _text_blank([spans for _, spans, _ in rows])
    lefts = _lefts([(line, _start(spans[0], pitch)) for line, spans, _ in rows], pitch, style)
    above: Line | None = None
    for line, spans, wrapped in rows:
        indent = _indent((_start(spans[0], pitch) - lefts[(line.page, line.column)]) / pitch, level)
        if above is not None and wrapped:
            builder.put(" ")
        elif above is not None:
            same = (above.page, above.column) == (line.page, line.column)
            blank = max(0, min(_MOST_BLANK_LINES, round((above.y - line.y) / step) - 1)) if same else 0
            builder.put("\n" * (1 + blank) + " " * indent)
        else:
            builder.put(" " * indent)
        _put_code(builder, line, spans, pitch, blank)
        above = line
    return Passage("listing", block.section, builder.text, Pieces.of(builder.pieces), block.label)


def _lefts(starts: Sequence[tuple[Line, float]], pitch: float, style: Style) -> dict[tuple[int, int], float]:
    """Return where the listing begins in each column that it runs through.

    The part in a later column can be indented as a whole, or the part in the first one.
    """
    parts: dict[tuple[int, int], tuple[Line, float]] = {}
    for line, start in starts:
        key = (line.page, line.column)
        parts[key] = (line, min(start, parts[key][1] if key in parts else start))
    (first, left), *_ = parts.values()
    # Edges are known to a point or so, and what is indented is so by whole cells.
    indents = {
        key: round((least - left - shift) / pitch) if (shift := style.shift(first, line)) is not None else 0
        for key, (line, least) in parts.items()
    }
    outermost = min(indents.values())
    return {key: least - (indents[key] - outermost) * pitch for key, (_, least) in parts.items()}


def _step(lines: Sequence[Line]) -> float:
    """Return the usual distance of two lines of the listing, or 0 when it has too few to tell."""
    steps = [above.y - line.y for above, line in pairwise(lines) if above.y > line.y]
    return sorted(steps)[len(steps) // 3] if len(steps) > 2 else 0.0


def _rows(lines: Sequence[Line]) -> list[tuple[Line, list[Span], bool]]:
    """Return for each line its spans without the mark of a wrapped line, and whether it had one."""
    rows = []
    for index, line in enumerate(lines):
        spans = list(line.spans)
        marks = 0
        while index and marks < min(3, len(spans) - 1) and _is_mark(spans[marks], spans[marks + 1]):
            marks += 1
        rows.append((line, spans[marks:], marks > 0))
    return rows


def _is_mark(span: Span, after: Span) -> bool:
    if span.font.mono:
        return False
    # The hook of TeX's arrow is a glyph of its own, at the place of a comma.
    hook = span.font.math and span.text == "," and after.text == "\u2192"
    return hook or _WRAPPED.fullmatch(span.text) is not None


def _indent(cells: float, level: int) -> int:
    """Return how many blanks a line is indented by; the first word of a line can stand a little off its place."""
    near = level * round(cells / level)
    return max(0, near if abs(cells - near) < _JITTER else round(cells))


def _pitch(rows: Sequence[Sequence[Span]]) -> tuple[float, int]:
    """Return the width of a character cell, and how many cells a level of indentation has where letters tell no width.

    Some listings set each word in a box of as many cells as it has letters, with cells wider than the letters.
    """
    spans = [span for row in rows for span in row if span.font.mono]
    widths = [cell(span) for span in spans if len(span.text) > 1] or [cell(span) for span in spans]
    if not widths:
        return _text_pitch(rows)
    width = middle(widths)
    if _misfit(rows, width) < 0.1:
        return width, 1
    candidates = [width * (1 + 0.01 * step) for step in range(round((_WIDEST_PITCH - 1) * 100) + 1)]
    best = min(candidates, key=lambda pitch: _misfit(rows, pitch))
    return (best if _misfit(rows, best) < 0.12 else width), 1


def _text_pitch(rows: Sequence[Sequence[Span]]) -> tuple[float, int]:
    """Return the cell and the level of a listing in a text font: programs are indented by four blanks or by two."""
    usual = 0.5 * middle(span.size for row in rows for span in row)
    left = min(row[0].x0 for row in rows)
    inner = [step for row in rows if (step := (row[0].x0 - left) / usual) > 1.2]
    least = min(inner, default=0.0)
    level = 2 if least < 2.8 else 4
    return (least * usual / level, level) if 1.2 < least < 5.5 else (usual, 1)


def _misfit(rows: Sequence[Sequence[Span]], pitch: float) -> float:
    """Return how far, in cells, the words of the lines start off a grid on average."""
    total, count = 0.0, 0
    for row in rows:
        first = _start(row[0], pitch)
        for span in row[1:]:
            if span.font.mono:
                offset = (_start(span, pitch) - first) / pitch
                total += abs(offset - round(offset))
                count += 1
    return total / count if count else 0.0


def _start(span: Span, pitch: float) -> float:
    """Return where the box of the first word of a span begins: the word stands in its middle."""
    if not span.font.mono:
        return span.x0
    word = re.match(r"\w*", span.text)
    length = max(len(word.group()) if word else 0, 1)
    # The letters may be spread over the cells already, wholly or in part.
    return span.x0 - length * (pitch - (span.x1 - span.x0) / len(span.text)) / 2


def _put_code(builder: TextBuilder, line: Line, spans: Sequence[Span], pitch: float, blank: float) -> None:
    plain = "".join(span.text for span in spans)
    fixed = straight(plain)
    # Whether a quote opens or closes is told by the whole line.
    whole = len(fixed) == len(plain)
    at = 0
    for index, span in enumerate(spans):
        if index:
            builder.put(" " * _blanks(spans[index - 1], span, pitch, blank))
        builder.put_span(fixed[at : at + len(span.text)] if whole else straight(span.text), span, line)
        at += len(span.text)


def _blanks(left: Span, right: Span, pitch: float, blank: float) -> int:
    gap = right.x0 - left.x1
    if not left.font.mono and not right.font.mono:
        loose = right.text[0] in ".,:;)]([" or left.text[-1] in "([."
        least = max(WORD_GAP * right.size, 0.95 * blank if loose else 0)
        return max(1, round(gap / pitch - 0.3)) if gap >= least else 0
    if left.font.mono and right.font.mono:
        cells = round((_start(right, pitch) - _start(left, pitch)) / pitch) - len(left.text)
        # A word wider than its cells moves what follows off the grid.
        return max(cells, 1 if gap > 0.75 * pitch else 0)
    other = right if left.font.mono else left
    # A character that the code font lacks stands in the middle of its cell.
    gap -= max(0.0, len(other.text) * pitch - (other.x1 - other.x0)) / 2 if len(other.text) == 1 else 0.0
    return max(1, round(gap / pitch)) if gap > 0.4 * pitch else 0


def _text_blank(rows: Sequence[Sequence[Span]]) -> float:
    """Return the least blank between two words of a text font; packages that keep columns put less beside brackets."""
    gaps = [
        right.x0 - left.x1
        for row in rows
        for left, right in pairwise(row)
        if not (left.font.mono or right.font.mono) and left.text[-1].isalnum() and right.text[0].isalnum()
    ]
    return min((gap for gap in gaps if gap >= WORD_GAP * rows[0][0].size), default=0.0)
