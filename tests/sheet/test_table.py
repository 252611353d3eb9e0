"""Tables fit a terminal, stay tables in markdown, and never obey what they show."""

import io
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rich.cells import cell_len
from rich.console import Console

from fxanchor.sheet.escape import plain
from fxanchor.sheet.table import Cell, Column, Table, to_markdown, to_rich

WORDS = st.text(st.sampled_from("ab_./:[]|学\x1b\t 0"), max_size=60)
TABLE = Table(
    (Column("concept"), Column("place")),
    (
        (Cell("a | b", "name"), Cell("torch/fx/graph.py:1|2", code=True, url="https://example.org/x")),
        (Cell("[bold]not markup[/bold]"), Cell("\x1b[2J")),
    ),
    ("2 rows", "  one under it"),
)


def rendered(width: int, table: Table = TABLE) -> str:
    out = io.StringIO()
    Console(file=out, width=width, force_terminal=False, markup=False).print(to_rich(table, width))
    return out.getvalue()


@st.composite
def tables(draw: st.DrawFn) -> Table:
    columns = draw(
        st.lists(st.builds(Column, WORDS, least=st.integers(1, 30), whole=st.booleans()), min_size=1, max_size=8)
    )
    row = st.tuples(*(st.builds(Cell, WORDS) for _ in columns))
    return Table(tuple(columns), tuple(draw(st.lists(row, min_size=1, max_size=4))))


def letters(text: str) -> Counter[str]:
    return Counter("".join(text.split()))


def test_no_line_is_wider_than_the_terminal() -> None:
    for width in (30, 80, 120):
        assert max(map(len, rendered(width).splitlines())) <= width


@given(tables(), st.integers(6, 130))
@settings(deadline=None, max_examples=150)
def test_nothing_is_cut_off_in_a_terminal_of_any_width(table: Table, width: int) -> None:
    text = rendered(width, table)
    assert max(map(cell_len, text.splitlines()), default=0) <= width
    for row in table.rows:
        assert letters("".join(plain(cell.text) for cell in row)) <= letters(text)


def test_a_column_that_must_be_whole_gives_way_last() -> None:
    path = "torch/fx/passes/graph_drawer.py:82"
    table = Table((Column("a", least=4), Column("b", whole=True)), ((Cell("some words to wrap " * 3), Cell(path)),))
    assert path in rendered(45, table)
    assert path not in rendered(30, table)
    assert letters(path) <= letters(rendered(30, table))


def test_where_no_table_fits_its_rows_are_listed() -> None:
    table = Table(tuple(Column(name, least=9) for name in "abcd"), ((Cell("some name"), *[Cell("some value")] * 3),))
    assert rendered(20, table).split("\n")[:2] == ["some name           ", "  b: some value     "]


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
