"""What `map` found as a table: concept, where in the paper, definition, the line to break at."""

from collections.abc import Iterator, Sequence

from fxanchor.concepts.concept import Concept, Mention, Status
from fxanchor.sheet.escape import said, shortened
from fxanchor.sheet.mapping import Mapped, package_name, short_path
from fxanchor.sheet.table import Cell, Column, Style, Table

_GOOD: tuple[Status, ...] = ("linked", "moved")
_STYLES: dict[Status, Style] = {
    "linked": "good",
    "moved": "warn",
    "missing": "bad",
    "outside": "dim",
    "refused": "dim",
}
_CONTEXT = 88
_NAME = 100
_SENTENCE = 600


def map_heading(mapped: Mapped) -> str:
    """Return the two lines above the table: which paper, which source."""
    title = mapped.paper.title or mapped.file.name
    pages = f"{mapped.paper.pages} page{'s' if mapped.paper.pages != 1 else ''}"
    return f"{title} · {pages}\n{package_name(mapped.index)}"


def map_table(mapped: Mapped, *, everything: bool = False, narrow: bool = False) -> Table:
    """Return the table of concepts.

    Args:
        mapped: What was found.
        everything: Whether to show refused, missing and outside names too.
        narrow: Whether to leave out what kind of definition it is, for a narrow terminal.
    """
    asked = [concept for concept in mapped.found.concepts if concept.kind == "requested"]
    shown = asked or list(mapped.found.concepts)
    if not everything and not asked:
        shown = [concept for concept in shown if concept.status in _GOOD]
    rows = tuple(_row(concept, mapped, narrow=narrow) for concept in shown)
    columns = (
        Column("concept", least=12),
        Column("in the paper", least=14),
        Column("definition", least=16, whole=narrow),
        Column("break at", least=5),
    )
    below = tuple(_below(shown, mapped, asked=bool(asked), everything=everything))
    return Table(columns, rows, below)


def where(mention: Mention) -> str:
    """Return a mention's place in short: `5.2 · p6 l14`."""
    section = f"{shortened(mention.section, 24)} · " if mention.section else ""
    return f"{section}p{mention.page} l{mention.line}"


def _row(concept: Concept, mapped: Mapped, *, narrow: bool) -> tuple[Cell, ...]:
    definition = concept.definition
    place = Cell("")
    stop = None
    if definition is not None:
        kind = "" if narrow else f" {definition.kind}"
        place = Cell(
            f"{short_path(definition, mapped.index)}:{definition.line}-{definition.end_line}{kind}",
            "path",
            url=mapped.index.permalink(definition),
        )
        stop = mapped.stops.get(definition.name)
    elsewhere = ""
    if stop is not None and definition is not None:
        elsewhere = str(stop.line) if stop.file == definition.file else f"{short_path(stop, mapped.index)}:{stop.line}"
    return (
        Cell(shortened(concept.name, _NAME), "name"),
        Cell(_places(concept), _STYLES[concept.status]),
        place,
        Cell(elsewhere),
    )


def _places(concept: Concept) -> str:
    good = [mention for mention in concept.mentions if mention.status in _GOOD]
    if concept.status in _GOOD and good:
        more = f"  (+{len(good) - 1})" if len(good) > 1 else ""
        moved = "moved, " if concept.status == "moved" else ""
        return f"{moved}{where(good[0])}{more}"
    hits = len(concept.mentions)
    return f"{concept.status}, {hits} hit{'s' if hits != 1 else ''}"


def _below(shown: Sequence[Concept], mapped: Mapped, *, asked: bool, everything: bool) -> Iterator[str]:
    for concept in shown:
        if asked:
            yield from _every_hit(concept)
        elif concept.status not in _GOOD or concept.status == "moved":
            yield _fate(concept)
        if (asked or everything) and concept.definition is not None:
            why = mapped.stopless.get(concept.definition.name)
            yield from [f"{shortened(concept.name, _NAME)}: no breakpoint. {why}"] if why else []
    yield from mapped.paper.warnings
    counts = {
        status: sum(concept.status == status for concept in (shown if asked else mapped.found.concepts))
        for status in _STYLES
    }
    summed = " · ".join(f"{count} {status}" for status, count in counts.items() if count)
    if asked:
        yield f"{len(shown)} asked · {summed}."
    else:
        hint = "" if everything else "  Why the rest is not linked: --all"
        yield f"{summed or 'nothing found'}.{hint}"


def _fate(concept: Concept) -> str:
    """Return what became of a concept and why, however long its name is."""
    return f"{shortened(concept.name, _NAME)}: {concept.status}. {said(concept.reason, _SENTENCE)}"


def _every_hit(concept: Concept) -> Iterator[str]:
    yield _fate(concept)
    for mention in concept.mentions:
        reason = f": {mention.reason}" if mention.reason else ""
        context = shortened(_around(mention), _CONTEXT)
        yield f"  {where(mention)} [{mention.where}] {mention.status}{reason}  “{context}”"


def _around(mention: Mention) -> str:
    """Return the part of the context in which the surface form stands."""
    at = mention.context.find(mention.surface)
    if at < 0 or len(mention.context) <= _CONTEXT:
        return mention.context
    begin = max(0, at - 30)
    return ("…" if begin else "") + mention.context[begin:]
