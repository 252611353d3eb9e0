"""What `--at` names: a breakpoint of the table, a function of the package, a row number, or a line of a file."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from fxanchor.breakpoints.lines import stop_at
from fxanchor.breakpoints.proof import Wanted
from fxanchor.errors import UsageError
from fxanchor.source.definition import Stop

_FILE_LINE = re.compile(r"(?P<file>.+\.py):(?P<line>\d+)")
_MOST_LISTED = 8


class Functions(Protocol):
    """Finds functions of the package that are not in the table."""

    def named(self, text: str) -> Sequence[str]:
        """Return the qualified names of the functions that a name, or the tail of a qualified name, may mean."""

    def entry(self, qualified: str) -> Stop:
        """Return where a call of a function stops."""


def choose(
    text: str, table: Sequence[Wanted], functions: Functions, site_root: Path, last_table: Sequence[Wanted] = ()
) -> Wanted:
    """Return the breakpoint that `text` names.

    Args:
        text: A concept of the table, a qualified name or the end of one, a row number, or `file:line`.
        table: The breakpoints of the catalogue.
        functions: Finds other functions of the package.
        site_root: Directory that installed files are relative to.
        last_table: The rows last shown, for row numbers.

    Raises:
        UsageError: When nothing is named so, or several things are, or the line never stops.
        InputError: When a named file cannot be read.
    """
    text = text.strip()
    if text.isdecimal():
        return _row(int(text), last_table)
    if match := _FILE_LINE.fullmatch(text):
        return _line(match["file"], int(match["line"]), table, site_root)
    for wanted in table:
        if wanted.concept.casefold() == text.casefold():
            return _stoppable(wanted)
    symbols = dict.fromkeys(wanted.stop.symbol for wanted in table if _ends(wanted.stop.symbol, text))
    if len(symbols) == 1:
        symbol = next(iter(symbols))
        rows = [wanted for wanted in table if wanted.stop.symbol == symbol and wanted.stop.line]
        if rows:
            return min(rows, key=lambda wanted: wanted.stop.line)
    candidates = list(symbols) or list(functions.named(text))
    if len(candidates) == 1:
        return _stoppable(Wanted(candidates[0].rpartition(".")[2], functions.entry(candidates[0])))
    if candidates:
        listed = ", ".join(_short(name, candidates) for name in candidates[:_MOST_LISTED])
        raise UsageError(f"{text!r} may mean {listed}; name one of them.")
    known = [wanted.concept for wanted in table] + [wanted.stop.symbol.rpartition(".")[2] for wanted in table]
    near = difflib.get_close_matches(text, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else "run fxanchor trace to see the table."
    raise UsageError(f"There is no breakpoint {text!r}; {hint}")


def _row(number: int, last_table: Sequence[Wanted]) -> Wanted:
    if not last_table:
        raise UsageError(f"Row {number} is not known: no table was shown for this model; run fxanchor trace first.")
    if not 1 <= number <= len(last_table):
        raise UsageError(f"The last table has rows 1 to {len(last_table)}; there is no row {number}.")
    return _stoppable(last_table[number - 1])


def _line(file: str, line: int, table: Sequence[Wanted], site_root: Path) -> Wanted:
    for wanted in table:
        if wanted.stop.line == line and f"/{wanted.stop.file}".endswith(f"/{file}"):
            return wanted
    path = _find(file, table, site_root).resolve()
    stop = stop_at(path, line, file)
    if path.is_relative_to(site_root.resolve()):
        stop = replace(stop, file=path.relative_to(site_root.resolve()).as_posix())
    return Wanted(f"{path.name}:{line}", stop)


def _find(file: str, table: Sequence[Wanted], site_root: Path) -> Path:
    """Return the file of the working directory that is named, else the one of the package that ends so."""
    if Path(file).is_file():
        return Path(file)
    known = {wanted.stop.file for wanted in table if f"/{wanted.stop.file}".endswith(f"/{file}")}
    roots = {wanted.stop.file.partition("/")[0] for wanted in table if wanted.stop.file}
    inside = [site_root / name for name in sorted(known)] or [site_root / file]
    inside += sorted(site_root / root / file for root in roots)
    found = [path for path in inside if path.is_file()]
    if len(known) > 1:
        raise UsageError(f"{file} may be {' or '.join(sorted(known))}; name one of them.")
    return found[0] if found else Path(file)


def _stoppable(wanted: Wanted) -> Wanted:
    if not wanted.stop.line:
        raise UsageError(f"No Python breakpoint reaches {wanted.stop.symbol}: {wanted.stop.note} Name another one.")
    return wanted


def _ends(symbol: str, text: str) -> bool:
    return symbol == text or symbol.endswith(f".{text}")


def _short(name: str, among: Sequence[str]) -> str:
    """Return the shortest end of a qualified name that no other one has."""
    parts = name.split(".")
    for count in range(2, len(parts)):
        tail = ".".join(parts[-count:])
        if sum(_ends(other, tail) for other in among) == 1:
            return tail
    return name
