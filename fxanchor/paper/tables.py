"""Rows of tables: told by each other, by the caption over them, and by cells that take several lines."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from fxanchor.paper.captions import label_of
from fxanchor.paper.cells import cell_starts, count_cells, goes_on_with_row, same_column
from fxanchor.paper.lines import Line
from fxanchor.paper.style import Style

if TYPE_CHECKING:
    from fxanchor.paper.kinds import Kind

# Of the font size: how far apart the lines of one cell lie, those of a head, and two rows.
_IN_CELL, _IN_HEAD, _ROW = 1.6, 2.0, 3.5
# So many lines can the head of a table have.
_LONGEST_HEAD = 4
_OF_TABLE = ("Tab", "表")


class Rows:
    """Puts right which lines are rows of cells.

    Args:
        lines: The body lines in reading order.
        kinds: What they are as far as it is known, by the id of the line; put right by `settle`.
        style: What is usual in the paper.
    """

    def __init__(self, lines: Sequence[Line], kinds: "dict[int, Kind]", style: Style) -> None:
        self._lines = lines
        self._kinds = kinds
        self._style = style

    def settle(self) -> None:
        """Find the rows that no wide gaps show, and take those for text that are no rows."""
        if "cells" not in self._kinds.values():
            return
        self._go_on_with_rows()
        self._go_on_with_cells()
        self._drop_single_rows()
        self._fill()
        self._find_heads()

    def _kind(self, index: int) -> "Kind":
        return self._kinds[id(self._lines[index])]

    def _go_on_with_rows(self) -> None:
        """Call lines rows whose cells stand over or under those of a row: the widest cells, and numbers in formulas."""
        for above, line in pairwise(self._lines):
            one, other = self._kinds[id(above)], self._kinds[id(line)]
            if "cells" in (one, other) and one != other and same_column(above, line):
                row, rest = (above, line) if one == "cells" else (line, above)
                near = abs(above.y - line.y) < 2 * line.size
                kind = self._kinds[id(rest)]
                shaped = kind == "text" or (kind == "formula" and count_cells(rest) > 1)
                if near and shaped and goes_on_with_row(rest, row):
                    self._kinds[id(rest)] = "cells"

    def _go_on_with_cells(self) -> None:
        """Count the further lines of a cell to its row, where the row has several cells or its table a caption."""
        starts: list[float] = []
        captioned = False
        for index, line in enumerate(self._lines):
            above = self._lines[index - 1] if index else line
            kind = self._kinds[id(line)]
            if not same_column(above, line) or above.y - line.y > _ROW * line.size:
                starts = []
            if kind == "caption":
                captioned = label_of(line).startswith(_OF_TABLE)
            elif kind == "cells":
                captioned = captioned and bool(starts or self._kinds[id(above)] == "caption")
                starts += cell_starts(line)
            elif kind == "text" and (len(starts) > 2 or captioned) and self._is_in_cell(line, above, starts):
                self._kinds[id(line)] = "cells"
            else:
                starts = []

    @staticmethod
    def _is_in_cell(line: Line, above: Line, starts: Sequence[float]) -> bool:
        """Tell whether a line goes on with a cell of the rows over it, other than the first one of each."""
        near = 0 < above.y - line.y < _IN_CELL * line.size and abs(line.size - above.size) < 0.06 * line.size
        least = min(starts, default=0.0) + line.size
        return near and any(abs(line.x0 - start) < 0.3 * line.size for start in starts if start > least)

    def _drop_single_rows(self) -> None:
        """A row of cells alone is no table: a line with a wide gap is text, unless another row is near."""
        lines = self._lines
        for index in [at for at in range(len(lines)) if self._kind(at) == "cells"]:
            line = lines[index]
            near = any(
                other is not line
                and same_column(other, line)
                and abs(other.y - line.y) < 3.2 * line.size
                and self._kinds[id(other)] == "cells"
                for other in lines[max(index - 3, 0) : index + 4]
            )
            if not near and count_cells(line) < 4:
                self._kinds[id(line)] = "text"

    def _fill(self) -> None:
        """Count a line of text between two rows to their table."""
        for index in range(1, len(self._lines) - 1):
            above, line, below = self._lines[index - 1 : index + 2]
            inside = self._kind(index) == "text" and self._kind(index - 1) == self._kind(index + 1) == "cells"
            if inside and same_column(above, below) and above.y - below.y < _ROW * line.size:
                self._kinds[id(line)] = "cells"

    def _find_heads(self) -> None:
        """Count the lines between the caption of a table and its first row, which have one cell, to the table."""
        for index in range(2, len(self._lines)):
            if self._kind(index) == "cells" and self._kind(index - 1) == "text":
                head = self._head(index)
                self._kinds.update(dict.fromkeys(head, "cells"))

    def _head(self, index: int) -> list[int]:
        lines = self._lines
        row = lines[index]
        end = index
        while end < len(lines) and self._kind(end) == "cells" and same_column(lines[end], row):
            end += 1
        left = min(line.x0 for line in lines[index:end]) - row.size
        right = max(line.x1 for line in lines[index:end]) + row.size
        head: list[int] = []
        for line in reversed(lines[max(index - _LONGEST_HEAD - 1, 0) : index]):
            step = line.y - row.y
            if not same_column(line, row):
                return []
            if self._kinds[id(line)] == "caption":
                # A line as close as that is the second one of the caption.
                apart = step > 1.35 * self._style.line_step(line.size)
                return head if apart and label_of(line).startswith(_OF_TABLE) else []
            inside = left < line.x0 and line.x1 < right and -0.1 * row.size < step < _IN_HEAD * row.size
            if self._kinds[id(line)] != "text" or not inside:
                return []
            head.append(id(line))
            row = line
        return []
