"""The catalogue's breakpoints on one source tree: every line looked up anew."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fxanchor.breakpoints.catalogue import CatalogueEntry, load_breakpoints, resolve
from fxanchor.breakpoints.facts import CaptureFacts, load_facts, load_states
from fxanchor.breakpoints.proof import Wanted
from fxanchor.errors import UsageError
from fxanchor.source.definition import Stop
from fxanchor.source.index import Index
from fxanchor.source.stops import entry_stop


@dataclass(frozen=True, slots=True)
class Resolved:
    """The breakpoints of the catalogue with their lines.

    Attributes:
        table: The breakpoints that a capture runs through, in the order of the call chain.
        facts: What the catalogue says of the package.
        functions: Finds functions that are not in the table.
        site_root: Directory that the files of the lines are relative to.
        states: The state of a capture that a breakpoint shows, by concept.
    """

    table: tuple[Wanted, ...]
    facts: CaptureFacts
    functions: "PackageFunctions"
    site_root: Path
    states: Mapping[str, str]


class PackageFunctions:
    """Finds the functions of an indexed package by name.

    Args:
        index: The index.
    """

    def __init__(self, index: Index) -> None:
        self._index = index

    def named(self, text: str) -> Sequence[str]:
        """Return the qualified names of the functions that a name, or the end of a qualified name, may mean."""
        if (definition := self._index.resolve(text)) is not None:
            return [definition.name]
        found = self._index.named(text.rpartition(".")[2], ("function", "method", "class"))
        return [each.name for each in found if each.name == text or each.name.endswith(f".{text}")]

    def entry(self, qualified: str) -> Stop:
        """Return where a call of a function stops."""
        return entry_stop(self._index, qualified)


def resolve_catalogue(index: Index, chains: Sequence[str] = ()) -> Resolved:
    """Look up the lines of the catalogue's breakpoints.

    Args:
        index: The package that captures.
        chains: The chains to take; those that a capture runs through when empty.
    """
    facts = load_facts()
    chosen = chains or facts.chains
    table = tuple(_wanted(entry, index) for entry in load_breakpoints() if entry.chain in chosen)
    return Resolved(table, facts, PackageFunctions(index), _root(index, facts.entry), load_states())


def _root(index: Index, entry: str) -> Path:
    """Return the directory that holds the package of the capture, which need not be the first of the index."""
    top = entry.partition(".")[0]
    holding = [package.root for package in index.packages if package.name.partition(".")[0] == top]
    return (holding or [index.packages[0].root])[0]


def _wanted(entry: CatalogueEntry, index: Index) -> Wanted:
    try:
        stop = resolve(entry, index)
    except UsageError as error:
        # Another version of the package: that it has no such line is a finding, and no reason to stop.
        stop = Stop(entry.symbols[0], "", 0, 0, str(error))
    return Wanted(entry.concept, stop, entry.watches, entry.unreached, entry.key)
