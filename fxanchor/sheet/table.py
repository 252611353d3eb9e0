"""A table of what was found, written for a terminal of any width or as markdown."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from fxanchor.sheet import escape

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table as RichTable
    from rich.text import Text

Style = Literal["", "good", "warn", "bad", "dim", "name", "path"]
_COLOURS = {"": "", "good": "green", "warn": "yellow", "bad": "red", "dim": "dim", "name": "bold", "path": "cyan"}
# Blanks between two columns, and in front of what is listed below a name.
_GAP = 2
_INDENT = 2


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell.

    Attributes:
        text: What it says, as found: writers escape it.
        style: How to colour it on a terminal.
        code: Whether it is code, for markdown.
        url: Where it links to, or "".
        place: A file (relative to the site or the working directory) and line to open in an editor, or None.
    """

    text: str
    style: Style = ""
    code: bool = False
    url: str = ""
    place: tuple[str, int] | None = None


# Gives the address that a cell links to on a terminal.
Address = Callable[[Cell], str]


class Code(str):
    """Lines of a program, which are shown as they are on a terminal of any width, to be copied and run."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its heading, and how it behaves when the terminal is narrow.

    Attributes:
        title: Heading.
        least: Least width in characters; a table that needs more than there is becomes a list.
        whole: Whether its text (paths, numbers) is broken only when nothing else gives way any more.
    """

    title: str
    least: int = 6
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns, with lines of text to stand below."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    below: tuple[str, ...] = field(default=())


def to_rich(table: Table, width: int, address: Address | None = None) -> "RichTable | Group":
    """Return the table for a terminal; what it says is escaped, so nothing in it is taken for markup.

    Nothing is ever cut off: where not even the least widths fit, each row becomes lines of a title and what it says.

    Args:
        table: The table.
        width: Columns of the terminal.
        address: Gives the address that a cell links to, or ""; None where the terminal shows no links.
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as RichTable

    rows = [[_shown(cell, address) for cell in row] for row in table.rows]
    widths = _widths(table.columns, rows, width - _GAP * (len(table.columns) - 1))
    if widths is None:
        return _listed(table, rows)
    shown = RichTable(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold", show_edge=False)
    for column, wide in zip(table.columns, widths, strict=True):
        shown.add_column(column.title, overflow="fold", width=wide)
    for row in rows:
        shown.add_row(*row)
    return shown


def _shown(cell: Cell, address: Address | None) -> "Text":
    from rich.text import Text

    text = Text(_indent(cell.text) + escape.plain(cell.text), style=_COLOURS[cell.style])
    if address is not None and (url := address(cell)):
        text.stylize(f"link {url}")
    return text


def _widths(columns: Sequence[Column], rows: "Sequence[Sequence[Text]]", room: int) -> list[int] | None:
    """Return the width of each column, the widest narrowed first; None when there is too little room for them."""
    from rich.cells import cell_len

    natural = [max(1, cell_len(column.title), *(row[at].cell_len for row in rows)) for at, column in enumerate(columns)]
    widths = [min(wide, max(room, 1)) for wide in natural]
    least = [min(column.least, wide) for column, wide in zip(columns, natural, strict=True)]
    unbroken = [wide if column.whole else low for column, wide, low in zip(columns, natural, least, strict=True)]
    for lowest in (unbroken, least):
        while sum(widths) > room:
            wide = [at for at in range(len(widths)) if widths[at] > lowest[at]]
            if not wide:
                break
            widths[max(wide, key=widths.__getitem__)] -= 1
    return widths if sum(widths) <= room else None


def _listed(table: Table, rows: "Sequence[Sequence[Text]]") -> "Group":
    """Return rows as lines: the first cell that says something, and below it the others behind their titles."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    lines: list[Text | Padding] = []
    for row in rows:
        said = [(column.title, text) for column, text in zip(table.columns, row, strict=True) if text.plain]
        for at, (title, text) in enumerate(said):
            labelled = Text(f"{title}: " if at and title else "", overflow="fold").append_text(text)
            lines.append(Padding(labelled, (0, 0, 0, _INDENT if at else 0)))
    return Group(*lines)


def to_markdown(table: Table) -> str:
    """Return the table as a GitHub table, followed by its lines below."""
    lines = [
        "| " + " | ".join(escape.markdown(column.title) for column in table.columns) + " |",
        "|" + " --- |" * len(table.columns),
    ]
    for row in table.rows:
        lines.append("| " + " | ".join(_markdown_cell(cell) for cell in row) + " |")
    if table.below:
        lines.append("")
        lines.extend(f"{_indent(line)}- {escape.markdown(line)}" for line in table.below)
    return "\n".join(lines) + "\n"


def _markdown_cell(cell: Cell) -> str:
    text = escape.code_span(cell.text, in_table=True) if cell.code else escape.markdown(cell.text)
    return f"[{text}]({cell.url})" if cell.url and text else text


def _indent(line: str) -> str:
    return " " * (len(line) - len(line.lstrip()))
