"""The terminal's edge: where output goes, how wide it is, and what is told while one waits."""

import io
import os
import re
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from fxanchor.errors import InputError, UsageError
from fxanchor.progress import Progress, silent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import Console, RenderableType

    from fxanchor.breakpoints.links import Editor
    from fxanchor.sheet.table import Address, Cell, Table

# Piped output is for grep and files: wide enough that no row of ours is broken.
_PIPE_WIDTH = 400
_USUAL_WIDTH = 80
# Narrower, not even single words would stay whole.
_LEAST_WIDTH = 20
_NUMBER = re.compile(r"[1-9][0-9]{0,4}")
# What stands in front of two blanks is a label, such as `Statement`, unless it is as long as a text.
_WIDEST_LABEL = 16
# Below this many columns, tables leave out what can be looked up.
_NARROW = 110


def show(heading: str, table: "Table", output: "Path | None", as_markdown: bool) -> None:
    """Print a heading and a table for people, or write them to a file as markdown or as plain text.

    Raises:
        InputError: When the file cannot be written.
    """
    from fxanchor.sheet import escape
    from fxanchor.sheet.table import to_markdown

    if as_markdown:
        title, _, rest = heading.partition("\n")
        write(f"# {escape.markdown(title)}\n\n{escape.markdown(rest)}\n\n{to_markdown(table)}", output)
        return
    show_parts([heading, table], output)


def show_parts(
    parts: "Iterable[str | Table]",
    output: "Path | None" = None,
    *,
    site: "Path | None" = None,
    editor: "Editor" = "file",
) -> None:
    """Print texts and tables one below the other, or write them to a file as plain text.

    Args:
        parts: What to print.
        output: The file to write instead, or None.
        site: Directory of the installed packages, for links to their files.
        editor: The program that links to files open.

    Raises:
        InputError: When the file cannot be written.
    """
    from fxanchor.sheet import escape
    from fxanchor.sheet.table import Code, to_rich

    out = _console(output)
    address = _addresses(site, editor) if out.is_terminal else None
    for part in parts:
        if isinstance(part, Code):
            out.print(escape.plain_lines(part) + "\n", soft_wrap=True)
            continue
        if isinstance(part, str):
            out.print(_wrapped(escape.plain_lines(part), out.width) + "\n", soft_wrap=True)
            continue
        if part.rows:
            _print_table(out, to_rich(part, out.width, address))
        for line in part.below:
            out.print(_wrapped(escape.plain_lines(line), out.width), soft_wrap=True)
    if output is not None:
        write(out.export_text(styles=False), output)


def _print_table(out: "Console", table: "RenderableType") -> None:
    """Print a table and a blank line; off the terminal without the blanks that fill up its lines."""
    if out.is_terminal:
        out.print(table)
    else:
        with out.capture() as drawn:
            out.print(table)
        out.print("\n".join(line.rstrip() for line in drawn.get().splitlines()), soft_wrap=True)
    out.print()


def _wrapped(text: str, width: int) -> str:
    """Return text whose lines fit, what goes on below indented as it began, or as what stands behind its label."""
    import textwrap

    lines = []
    for line in text.split("\n"):
        label = re.match(r" *(?:\S+(?: \S+)*? {2,}|)", line)
        indent = " " * (label.end() if label and label.end() <= _WIDEST_LABEL else len(line) - len(line.lstrip()))
        fits = len(line) <= width
        lines += [line] if fits else textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=False)
    return "\n".join(lines)


def _addresses(site: "Path | None", editor: "Editor") -> "Address | None":
    """Return what gives the link of a cell, or None where the terminal would show its escape codes."""
    from fxanchor.breakpoints.links import editor_url, takes_links

    if not takes_links(sys.stdout, os.environ):
        return None

    def address(cell: "Cell") -> str:
        if cell.place is None:
            return cell.url
        file, line = cell.place
        installed = site / file if site is not None else None
        path = installed if installed is not None and installed.exists() else Path(file)
        return editor_url(path, line, editor)

    return address


def _console(output: "Path | None") -> "Console":
    """Return the console to print on: as wide as the terminal, in colour only on one, or recording for a file."""
    from rich import console

    class Console(console.Console):
        """A console that leaves a reader's going to the command line, which ends with 0 then; rich ends with 1."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    if output is not None:
        return Console(highlight=False, markup=False, emoji=False, width=_PIPE_WIDTH, record=True, file=io.StringIO())
    if sys.stdout.isatty():
        return Console(highlight=False, markup=False, emoji=False, width=_width())
    return Console(highlight=False, markup=False, emoji=False, width=_width(), no_color=True, force_terminal=False)


def _width() -> int:
    """Return how wide to print: as COLUMNS says where it is a number, as the terminal is, or as wide as for a pipe."""
    columns = os.environ.get("COLUMNS", "")
    if _NUMBER.fullmatch(columns):
        return max(int(columns), _LEAST_WIDTH)
    if not sys.stdout.isatty():
        return _PIPE_WIDTH
    # A terminal that does not know its size says that it has none.
    return max(os.get_terminal_size(sys.stdout.fileno()).columns or _USUAL_WIDTH, _LEAST_WIDTH)


def write(text: str, output: "Path | None") -> None:
    """Write `text` to standard output, or to the file `output`, whole or not at all.

    Raises:
        InputError: When the file cannot be written.
    """
    if output is None or str(output) == "-":
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        return
    from fxanchor.cache import replacing

    text = text if text.endswith("\n") else text + "\n"
    if not output.parent.exists():
        raise InputError(f"The folder {output.parent} does not exist; make it, or name another file with -o.")
    try:
        if output.is_char_device() or output.is_fifo():
            output.write_text(text, encoding="utf-8", errors="backslashreplace")
            return
        with replacing(output) as temporary:
            temporary.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise InputError(f"Cannot write {output}: {error.strerror}. Name another file with -o.") from None


def tell(words: str) -> None:
    """Say on standard error what was done; a file's name in it may hold anything."""
    from fxanchor.sheet.escape import plain

    sys.stderr.write(f"{plain(words)}\n")


def write_json(document: object, output: "Path | None" = None) -> None:
    """Write a document as JSON that is harmless on a terminal: nothing in it moves the cursor or turns text around.

    Raises:
        InputError: When the file cannot be written.
    """
    import json

    # What a narrow encoding cannot hold would be escaped as Python does it, which is not JSON.
    narrow = output is None and not sys.stdout.encoding.lower().startswith("utf")
    text = json.dumps(document, indent=1, ensure_ascii=narrow)
    write(re.sub(r"[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]", _as_escape, text), output)


def _as_escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def refuse_overwriting(output: "Path | None", source: str) -> None:
    """Raise when what is to be written would take the place of what it is made of.

    Args:
        output: The file to write, or None.
        source: The paper or the model as it was named: a path, also with `:Name` after it, or anything else.

    Raises:
        UsageError: When both are one file.
    """
    if output is None or not output.exists():
        return
    for name in (source, source.partition(":")[0]):
        # What is no path, such as an address or an expression, has no file to lose.
        with suppress(OSError, ValueError):
            if output.samefile(name):
                raise UsageError(f"{output} is what this is made of and would be lost. Name another file.")


def is_narrow() -> bool:
    """Tell whether the terminal is too narrow for every column."""
    return _width() < _NARROW


def in_colour() -> bool:
    """Tell whether standard output takes colours: a terminal whose user has not said no."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


@contextmanager
def progress() -> "Iterator[Progress]":
    """Give a progress that is shown on one line of standard error, on a terminal and once a second has passed."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield silent
        return
    line = _ProgressLine()
    try:
        yield line
    finally:
        line.clear()


class _ProgressLine:
    """A line that is rewritten in place, and wiped when the work is done."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._shown = 0.0

    def __call__(self, label: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._started < 1 or now - self._shown < 0.1:
            return
        self._shown = now
        share = f" {done}/{total}" if total else f" {done}" if done else ""
        sys.stderr.write(f"\r\x1b[2K{label}{share}")
        sys.stderr.flush()

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
