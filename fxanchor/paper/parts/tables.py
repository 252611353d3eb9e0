"""Rows of tables: told by each other, by the caption over them, and by cells that take several lines."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fxanchor.paper.page.lines import Line
from fxanchor.paper.page.style import Style
from fxanchor.paper.parts.captions import label_of
from fxanchor.paper.parts.cells import cell_starts, count_cells, goes_on_with_row, same_column

if TYPE_CHECKING:
    from fxanchor.paper.parts.kinds import Kind

# Of the font size: how far apart the lines of one cell lie, those of a head, and two rows.
_IN_CELL, _IN_HEAD, _ROW = 1.6, 2.0, 3.5
# Of so many cells above it is kept where they begin.
_MOST_STARTS = 100
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

    def _rows(self) -> list[int]:
        return [index for index, line in enumerate(self._lines) if self._kinds[id(line)] == "cells"]

    def _kind(self, index: int) -> "Kind":
        return self._kinds[id(self._lines[index])]

    def _go_on_with_rows(self) -> None:
        """Call lines rows whose cells stand over or under those of a row: the widest cells, and numbers in formulas."""
        for index in self._rows():
            row = self._lines[index]
            for line in (*self._lines[max(index - 1, 0) : index], *self._lines[index + 1 : index + 2]):
                kind = self._kinds[id(line)]
                shaped = kind == "text" or (kind == "formula" and count_cells(line) > 1)
                near = same_column(line, row) and abs(line.y - row.y) < 2 * line.size
                if shaped and near and goes_on_with_row(line, row):
                    self._kinds[id(line)] = "cells"

    def _go_on_with_cells(self) -> None:
        """Count the further lines of a cell to its row, where the row has several cells or its table a caption."""
        starts: list[float] = []
        captioned = False
        last = -1
        for index in self._rows():
            line = self._lines[index]
            above = self._lines[index - 1] if index else line
            if last != index - 1 or not same_column(above, line) or above.y - line.y > _ROW * line.size:
                starts = []
                captioned = self._kinds[id(above)] == "caption" and label_of(above).startswith(_OF_TABLE)
            starts = [*starts[-_MOST_STARTS:], *cell_starts(line)]
            last = index
            while last + 1 < len(self._lines) and self._kind(last + 1) == "text" and (captioned or len(starts) > 2):
                above, line = self._lines[last : last + 2]
                if not (same_column(above, line) and self._is_in_cell(line, above, starts)):
                    break
                self._kinds[id(line)] = "cells"
                last += 1

    @staticmethod
    def _is_in_cell(line: Line, above: Line, starts: Sequence[float]) -> bool:
        """Tell whether a line goes on with a cell of the rows over it, other than the first one of each."""
        near = 0 < above.y - line.y < _IN_CELL * line.size and abs(line.size - above.size) < 0.06 * line.size
        least = min(starts, default=0.0) + line.size
        return near and any(abs(line.x0 - start) < 0.3 * line.size for start in starts if start > least)

    def _drop_single_rows(self) -> None:
        """A row of cells alone is no table: a line with a wide gap is text, unless another row is near."""
        for index in self._rows():
            line = self._lines[index]
            near = any(
                other is not line
                and same_column(other, line)
                and abs(other.y - line.y) < 3.2 * line.size
                and self._kinds[id(other)] == "cells"
                for other in self._lines[max(index - 3, 0) : index + 4]
            )
            if not near and count_cells(line) < 4:
                self._kinds[id(line)] = "text"

    def _fill(self) -> None:
        """Count a line of text between two rows to their table, and those between the first row and the caption."""
        for index in self._rows():
            if index < 2 or self._kind(index - 1) != "text":
                continue
            above, line, row = self._lines[index - 2 : index + 1]
            if self._kind(index - 2) == "cells" and same_column(above, row) and above.y - row.y < _ROW * line.size:
                self._kinds[id(line)] = "cells"
            else:
                self._kinds.update(dict.fromkeys(self._head(index), "cells"))

    def _head(self, index: int) -> list[int]:
        """Return the ids of the lines between the caption of a table and its first row, which have one cell each."""
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
