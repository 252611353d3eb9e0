"""What `show` tells of one concept: its definition with the source, where to break, and what the paper says."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fxanchor.concepts.catalogue import load_catalogue
from fxanchor.concepts.concept import Mention
from fxanchor.errors import UsageError
from fxanchor.progress import Progress, silent
from fxanchor.sheet.map_json import stop_document
from fxanchor.sheet.mapping import DEFAULT_PACKAGE, Mapped, map_paper
from fxanchor.sheet.unknown import describe_unknown
from fxanchor.source.definition import Definition, Raise, Stop
from fxanchor.source.index import open_index
from fxanchor.source.stops import entry_stop

if TYPE_CHECKING:
    from fxanchor.source.index import Index

_MOST_SOURCE = 60


@dataclass(frozen=True, slots=True)
class Shown:
    """One definition and all that is known of it.

    Attributes:
        asked: What the user asked for.
        index: The index it was found in.
        definition: The definition.
        source: Its source text.
        stop: The line that stops, or why there is none.
        gives_up: Its `raise` statements.
        alternatives: Other definitions of the same name.
        mentions: Where the paper names it, when a paper was given.
        paper_reason: What the paper has to do with it, in words; "" without a paper.
    """

    asked: str
    index: "Index"
    definition: Definition
    source: str
    stop: Stop
    gives_up: tuple[Raise, ...]
    alternatives: tuple[Definition, ...]
    mentions: tuple[Mention, ...]
    paper_reason: str


def find_shown(
    name: str,
    *,
    packages: Sequence[str] = (DEFAULT_PACKAGE,),
    source_tree: Path | None = None,
    paper: str | None = None,
    password: str | None = None,
    progress: Progress = silent,
) -> Shown:
    """Find a concept by name: a definition's simple, dotted or qualified name, or a phrase of the catalogue.

    Args:
        name: What to find, such as `GraphModule.recompile`, `Graph.lint()` or `symbolic tracing`.
        packages: Import names of installed packages.
        source_tree: A directory, wheel or sdist to use in place of the installed package.
        paper: A paper to look for passages in.
        password: Password of an encrypted PDF.
        progress: Told how far the work is.

    Raises:
        UsageError: When nothing has that name; the nearest names are in the sentence.
        InputError: When the paper or the source cannot be read.
    """
    name = _without_calls(name)
    mapped = None
    if paper is not None:
        mapped = map_paper(
            paper,
            packages=packages,
            source_tree=source_tree,
            keywords=[name],
            password=password,
            progress=progress,
        )
        index = mapped.index
    else:
        index = open_index(packages, source=source_tree, progress=progress)
    found = _candidates(name, index)
    if not found:
        raise UsageError(describe_unknown(name, index))
    definition = found[0]
    mentions, reason = _passages(definition, mapped)
    return Shown(
        asked=name,
        index=index,
        definition=definition,
        source=index.source(definition),
        stop=entry_stop(index, definition.name),
        gives_up=index.raises(definition),
        alternatives=found[1:],
        mentions=mentions,
        paper_reason=reason,
    )


def show_document(shown: Shown) -> dict[str, Any]:
    """Return what `show --json` prints."""
    definition = shown.definition
    return {
        "schema": "fxanchor.show/1",
        "symbol": definition.name,
        "public_name": shown.index.public_name(definition.name),
        "symbol_kind": definition.kind,
        "definition": {
            "file": definition.file,
            "line": definition.line,
            "end_line": definition.end_line,
            "permalink": shown.index.permalink(definition),
        },
        "source": shown.source,
        "breakpoint": stop_document(shown.stop),
        "breakpoint_note": shown.stop.note,
        "raises": [
            {"exception": item.exception, "message": item.message, "file": item.file, "line": item.line}
            for item in shown.gives_up
        ],
        "alternatives": [other.name for other in shown.alternatives],
        "mentions": [
            {"page": m.page, "line": m.line, "section": m.section, "status": m.status, "context": m.context}
            for m in shown.mentions
        ],
        "paper_reason": shown.paper_reason,
    }


def _without_calls(name: str) -> str:
    """Return a name without the brackets of calls: `Graph.lint()` is Graph.lint; a phrase stays as it is."""
    bare = re.sub(r"(?<=\w)\([^()]*\)", "", name)
    return bare if bare.replace(".", "").isidentifier() else name


def _candidates(name: str, index: "Index") -> tuple[Definition, ...]:
    """Return the definitions that a name may mean, best first."""
    exact = index.resolve(name)
    named = [other for other in index.named(name.rpartition(".")[2]) if other.name.endswith("." + name)]
    phrase = next((entry for entry in load_catalogue().concepts if name.casefold() in entry.names()), None)
    symbols = [index.get(symbol) for symbol in phrase.symbols] if phrase else []
    found: dict[str, Definition] = {}
    for definition in (exact, *named, *symbols):
        if definition is not None:
            found.setdefault(definition.name, definition)
    return tuple(found.values())


def _passages(definition: Definition, mapped: Mapped | None) -> tuple[tuple[Mention, ...], str]:
    if mapped is None:
        return (), ""
    asked = [concept for concept in mapped.found.concepts if concept.symbol == definition.name]
    if not asked:
        return (), "The paper does not speak of it."
    best = max(asked, key=lambda concept: len(concept.mentions))
    return best.mentions, best.reason
