"""The breakpoints worth setting, read from `catalogue.toml`, and their lines in the installed version."""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal

from fxanchor.errors import UsageError
from fxanchor.source.definition import Stop
from fxanchor.source.index import Index
from fxanchor.source.stops import entry_stop, interior_stop

Chain = Literal["capture", "codegen", "call", "edit", "interpret", "transform", "rewrite", "passes"]


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A breakpoint of the catalogue: what to stop at, without a line.

    Attributes:
        concept: What it is called, in words.
        symbols: Qualified names of the function, one for each group of versions.
        at: Patterns of the statement inside it, one for each group of versions; none for where it is entered.
        watches: Expressions to look at there.
        unreached: Why a run may never come there; "" when every run of its chain does.
        chain: Which part of the program it belongs to.
        key: Whether it is one of the few that show the whole way.
    """

    concept: str
    symbols: tuple[str, ...]
    at: tuple[str, ...]
    watches: tuple[str, ...]
    unreached: str
    chain: Chain
    key: bool = False


@cache
def load_breakpoints() -> tuple[CatalogueEntry, ...]:
    """Return the breakpoints of the catalogue, in the order in which a program runs through them."""
    text = resources.files("fxanchor.breakpoints").joinpath("catalogue.toml").read_text(encoding="utf-8")
    return tuple(
        CatalogueEntry(
            concept=row["concept"],
            symbols=_several(row["symbol"]),
            at=_several(row.get("at", ())),
            watches=tuple(row.get("watch", ())),
            unreached=row.get("unreached", ""),
            chain=row["chain"],
            key=row.get("key", False),
        )
        for row in tomllib.loads(text)["breakpoint"]
    )


def resolve(entry: CatalogueEntry, index: Index) -> Stop:
    """Return the line of a breakpoint in the indexed version.

    Args:
        entry: The breakpoint.
        index: An index that holds the package.

    Raises:
        UsageError: When this version has none of its symbols, or no statement that its patterns name.
    """
    known = [symbol for symbol in entry.symbols if index.resolve(symbol)] or entry.symbols[:1]
    stops: list[Callable[[], Stop]] = [
        lambda symbol=symbol, pattern=pattern: interior_stop(index, symbol, pattern)  # type: ignore[misc]
        for symbol in known
        for pattern in entry.at
    ]
    stops = stops or [lambda: entry_stop(index, known[0])]
    return _first(stops)


def _first(stops: Sequence[Callable[[], Stop]]) -> Stop:
    """Return the first stop that exists; raise what the last says when none does."""
    for stop in stops[:-1]:
        try:
            return stop()
        except UsageError:
            continue
    return stops[-1]()


def _several(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)
