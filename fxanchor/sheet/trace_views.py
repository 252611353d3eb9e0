"""Other ways to read a capture: folded by module, or the user's own source with every traced expression underlined."""

from collections.abc import Callable, Iterator

from fxanchor.model.report import Capture
from fxanchor.model.views import LineFold, by_line, by_module
from fxanchor.sheet.escape import plain_lines, shortened
from fxanchor.sheet.table import Cell, Column, Table

# Gives the text of a source line by path and number, or "" when it cannot be read.
SourceLine = Callable[[str, int], str]
_NODES_WIDTH = 60
_CONTEXT = 1


def module_table(capture: Capture) -> Table:
    """Return a row for every module: what it is, how many nodes were recorded in it, and its parameters."""
    rows = []
    for fold in by_module(capture):
        name = fold.path.rpartition(".")[2] if fold.path else "(the model)"
        shape = "" if fold.shape is None else f"[{', '.join(map(str, fold.shape))}]"
        rows.append(
            (
                Cell("  " * fold.depth + name, "name"),
                Cell(fold.type, code=True),
                Cell("opened" if fold.opened else "leaf", "" if fold.opened else "dim"),
                Cell(str(fold.nodes)),
                Cell(f"{fold.parameters:,}"),
                Cell(shape, "dim"),
            )
        )
    columns = (
        Column("module", least=12),
        Column("class", least=8),
        Column("trace", least=6),
        Column("nodes", least=5),
        Column("parameters", least=10),
        Column("last shape", least=8),
    )
    return Table(columns, tuple(rows))


def lines_text(capture: Capture, source_line: SourceLine) -> str:
    """Return the user's source lines that made nodes, each expression underlined, the nodes beside it.

    Args:
        capture: The capture.
        source_line: Gives the text of a line.
    """
    return "\n".join(_lines(capture, source_line))


def _lines(capture: Capture, source_line: SourceLine) -> Iterator[str]:
    file = ""
    last = 0
    for fold in by_line(capture):
        if fold.file != file:
            if file:
                yield ""
            yield fold.file
            file, last = fold.file, 0
        for number in range(max(last + 1, fold.line - _CONTEXT), fold.line):
            yield f"{number:5}  {plain_lines(source_line(file, number))}"
        if last and fold.line - _CONTEXT > last + 1:
            yield "       ..."
        yield from _underlined(fold, source_line(file, fold.line))
        last = fold.line


def _underlined(fold: LineFold, text: str) -> Iterator[str]:
    shown = plain_lines(text)
    yield f"{fold.line:5}  {shown}"
    marks = [" "] * len(shown)
    for start, end in fold.spans:
        for column in range(start, len(shown) if end < 0 else min(end, len(shown))):
            marks[column] = "^" if column == start else "~" if marks[column] == " " else marks[column]
    nodes = ", ".join(node.name for node in fold.nodes)
    yield f"       {''.join(marks).rstrip()}  {shortened(nodes, _NODES_WIDTH)}"
