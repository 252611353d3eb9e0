"""A table of what was found, written for a terminal of any width or as markdown."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from fxanchor.sheet import escape

if TYPE_CHECKING:
    from rich.table import Table as RichTable

Style = Literal["", "good", "warn", "bad", "dim", "name", "path"]
_COLOURS = {"": "", "good": "green", "warn": "yellow", "bad": "red", "dim": "dim", "name": "bold", "path": "cyan"}


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
        fold: Whether long text is broken anywhere (code) rather than between words.
        least: Least width in characters before others give way.
        whole: Whether its text is never broken (paths, numbers).
    """

    title: str
    fold: bool = False
    least: int = 6
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns, with lines of text to stand below."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    below: tuple[str, ...] = field(default=())


def to_rich(table: Table, address: Address | None = None) -> "RichTable":
    """Return the table for a terminal; what it says is escaped, so nothing in it is taken for markup.

    Args:
        table: The table.
        address: Gives the address that a cell links to, or ""; None where the terminal shows no links.
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold", show_edge=False)
    for column in table.columns:
        least = _widest(table, column) if column.whole else min(column.least, _widest(table, column))
        shown.add_column(column.title, overflow="fold", no_wrap=column.whole, min_width=least)
    for row in table.rows:
        cells = []
        for cell in row:
            style = _COLOURS[cell.style]
            text = Text(_indent(cell.text) + escape.plain(cell.text), style=style)
            if address is not None and (url := address(cell)):
                text.stylize(f"link {url}")
            cells.append(text)
        shown.add_row(*cells)
    return shown


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


def _widest(table: Table, column: Column) -> int:
    at = table.columns.index(column)
    return max([len(column.title), *(len(row[at].text) for row in table.rows)])
