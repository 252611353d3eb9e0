"""Words that stand in a drawing, set in any font: told by the caption under them and by the lines around them."""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from fxanchor.paper.page.lines import WIDE, Line
from fxanchor.paper.page.style import Style
from fxanchor.paper.parts.captions import CAPTION, label_of
from fxanchor.paper.parts.cells import ITEM, count_cells, same_column

if TYPE_CHECKING:
    from fxanchor.paper.parts.kinds import Kind

# Less than so many lines in code font are words of a figure, when they stand in one.
_SHORTEST_LISTING = 3
# Longer than that, what follows is no caption, or no caption of a part.
_LONGEST_CAPTION, _LONGEST_PART = 8, 5
# So many lines can stand in the left column before the first row of the right one.
_MOST_ROWS = 80
# So many letters beside or over each other are a paragraph.
_PARAGRAPH = 30
# The end of a sentence of some words.
_SENTENCE = re.compile(r"^(?:\S+ ){4,}\S*\w[.?!]$")
# Of the font size: how far the words of one drawing lie apart, the rows of one table, the first one from its caption.
_REACH, _ROW, _UNDER_CAPTION = 8.0, 2.4, 3.5


class Lettering:
    """Finds the lettering of figures among the lines of a paper.

    Args:
        lines: The body lines in reading order.
        kinds: What they are as far as it is known, by the id of the line; put right by the methods.
        style: What is usual in the paper.
    """

    def __init__(self, lines: Sequence[Line], kinds: "dict[int, Kind]", style: Style) -> None:
        self._lines = lines
        self._kinds = kinds
        self._style = style

    def _kind(self, index: int) -> "Kind":
        return self._kinds[id(self._lines[index])]

    def settle_code(self) -> None:
        """Call a few words in code font among figure text figure text."""
        for index, line in enumerate(self._lines):
            if self._kinds[id(line)] != "code" or line.listed or not (line.figure > 0.5 and self._style.forms):
                continue
            near = self._lines[max(index - 2, 0) : index + 3]
            figures = [other for other in near if self._kinds[id(other)] == "figure" and same_column(other, line)]
            if len(figures) >= 2:
                self._kinds[id(line)] = "figure"

    def settle_over_captions(self, fixed: Collection[int]) -> None:
        """Call the loose words over the caption of a figure its lettering.

        Args:
            fixed: The ids of the lines that are no part of what stands beside them.
        """
        for index, line in enumerate(self._lines):
            match = CAPTION.match(line.text) if self._kinds[id(line)] == "caption" else None
            if match is None or not match["kind"].lower().startswith(("fig", "图")):
                continue
            over = self._over(index, fixed)
            words = [self._lines[at] for at in over if self._kind(at) != "caption" and not self._is_in_part(at)]
            # One line alone is the last of a paragraph as likely as a label.
            if len(words) > 1 or any(count_cells(word) > 1 for word in words):
                self._kinds.update((id(word), "figure") for word in words)
            elif not words and (below := self._under(index)) is not None and id(below) not in fixed:
                self._kinds[id(below)] = "figure"

    def _over(self, index: int, fixed: Collection[int]) -> list[int]:
        """Return where the loose lines over a caption are, those of a table above them left out."""
        lines, caption = self._lines, self._lines[index]
        first = index
        least = 0.0
        while first and (self._is_loose(first - 1, fixed) or self._is_in_part(first - 1)):
            above, below = lines[first - 1], lines[first]
            rise = above.y - below.y
            # The captions of parts beside each other come one after the other.
            near = same_column(above, below) and (rise > -1 or above.x1 < below.x0)
            near = near and abs(rise) < _REACH * self._style.size
            # Under a drawing over both columns, words of either stand above.
            crossing = caption.column == WIDE and not same_column(above, below) and above.y > caption.y
            if above.page != caption.page or not (near or crossing):
                break
            first -= 1
        found: list[int] = []
        top: Line | None = None
        for at in range(first, index):
            if at == first or not same_column(lines[at], lines[at - 1]):
                top = self._table_over(at)
                least = _UNDER_CAPTION * self._style.size
            if top is not None and 0 < top.y - lines[at].y < least:
                top, least = lines[at], _ROW * self._style.size
            else:
                top = None
                found.append(at)
        return found

    def _table_over(self, index: int) -> Line | None:
        """Return the caption over a line, as over the first row of a table; it can run over both columns."""
        line = self._lines[index]
        for at in range(index - 1, max(index - _MOST_ROWS, 0) - 1, -1):
            other = self._lines[at]
            if self._kinds[id(other)] == "caption" and other.column in (line.column, WIDE) and other.page == line.page:
                return other if label_of(other)[:3] not in ("", "Fig") and not self._ends_table(at) else None
        return None

    def _ends_table(self, index: int) -> bool:
        """Tell whether a caption stands under its table."""
        above, caption = self._lines[max(index - 1, 0)], self._lines[index]
        near = same_column(above, caption) and 0 < above.y - caption.y < _UNDER_CAPTION * caption.size
        return near and self._kinds[id(above)] == "cells"

    def _is_in_part(self, index: int) -> bool:
        """Tell whether a line is one of the further lines of the caption of a part of the figure."""
        for at in range(index, max(index - _LONGEST_PART, 0), -1):
            above, line = self._lines[at - 1 : at + 1]
            near = 0 < above.y - line.y < 1.35 * self._style.line_step(line.size) and abs(above.size - line.size) < 0.3
            if not (near and same_column(above, line) and self._kinds[id(line)] == "text"):
                return False
            if self._kinds[id(above)] == "caption":
                return not label_of(above)
        return False

    def _under(self, index: int) -> Line | None:
        """Return the row of labels close under the lines of a caption, if one stands there."""
        for above, line in pairwise(self._lines[index : index + _LONGEST_CAPTION]):
            near = 0 < above.y - line.y < 1.35 * self._style.line_step(line.size)
            if not (near and same_column(above, line) and self._kinds[id(line)] == "text"):
                return None
            if count_cells(line) > 1:
                return line
        return None

    def _is_loose(self, index: int, fixed: Collection[int]) -> bool:
        """Tell whether a line is no part of a heading, a paragraph or a listing."""
        line = self._lines[index]
        kind = self._kinds[id(line)]
        if kind == "caption":
            # The parts of a figure have captions of their own in it.
            return not label_of(line)
        if id(line) in fixed or line.listed or ITEM.match(line.text):
            return False
        if kind == "code":
            return self._run_of_code(index) < _SHORTEST_LISTING
        if kind != "text":
            return kind in ("figure", "formula", "cells")
        left, right = self._style.edge(line)
        wide = 0.6 * (right - left)
        # Names under a title are larger than the text, lettering seldom is.
        if line.size > 1.1 * self._style.size or _SENTENCE.search(line.text):
            return False
        if line.x1 - line.x0 > wide and count_cells(line) < 2:
            return False
        for at in (index - 1, index + 1):
            other = self._lines[at] if 0 <= at < len(self._lines) else line
            near = abs(other.y - line.y) < 1.2 * self._style.line_step(line.size) and abs(other.size - line.size) < 0.3
            begun = self._kinds[id(other)] == "caption" and at < index
            solid = self._kinds[id(other)] == "text" and other.x1 - other.x0 > wide
            solid = begun or (solid and abs(other.x0 - line.x0) < 6 * line.size) or self._is_flush(line, other)
            if other is not line and same_column(line, other) and near and solid:
                return False
        return True

    def _is_flush(self, line: Line, other: Line) -> bool:
        """Tell whether two lines of some length begin at the same edge, as those of a narrow paragraph do."""
        left, right = self._style.edge(line)
        if abs(line.x0 - other.x0) > 0.3 * line.size or max(count_cells(line), count_cells(other)) > 1:
            return False
        ends = abs(line.x1 - other.x1) < 0.3 * line.size and line.x1 - line.x0 > 0.3 * (right - left)
        return ends or other.letters > _PARAGRAPH

    def _run_of_code(self, index: int) -> int:
        """Count the lines of code around one, up to as many as make a listing."""
        lines = self._lines
        count = 1
        for step in (-1, 1):
            at = index + step
            while 0 <= at < len(lines) and count < _SHORTEST_LISTING:
                near = abs(lines[at].y - lines[at - step].y) < 4 * lines[index].size
                if self._kinds[id(lines[at])] != "code" or not near or not same_column(lines[at], lines[index]):
                    break
                count += 1
                at += step
        return count
