"""Tables fit a terminal, stay tables in markdown, and never obey what they show."""

import io

from markdown_it import MarkdownIt
from rich.console import Console

from fxanchor.sheet.table import Cell, Column, Table, to_markdown, to_rich

TABLE = Table(
    (Column("concept"), Column("place", fold=True)),
    (
        (Cell("a | b", "name"), Cell("torch/fx/graph.py:1|2", code=True, url="https://example.org/x")),
        (Cell("[bold]not markup[/bold]"), Cell("\x1b[2J")),
    ),
    ("2 rows", "  one under it"),
)


def rendered(width: int) -> str:
    out = io.StringIO()
    Console(file=out, width=width, force_terminal=False, markup=False).print(to_rich(TABLE))
    return out.getvalue()


def test_no_line_is_wider_than_the_terminal() -> None:
    for width in (30, 80, 120):
        assert max(map(len, rendered(width).splitlines())) <= width


def test_what_cells_say_is_not_markup() -> None:
    text = rendered(80)
    assert "[bold]not markup[/bold]" in text
    assert "\x1b" not in text


def test_markdown_keeps_every_cell_in_its_column() -> None:
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(to_markdown(TABLE))
    cells = [tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "td_open"]
    assert len(cells) == 4
    assert cells[1].startswith("[`torch/fx/graph.py:1|2`]") or cells[1].startswith(r"[`torch/fx/graph.py:1\|2`]")
    assert sum(token.type == "bullet_list_open" for token in tokens) == 2
