"""Labs for a person: the list of statements, one lab with its code, and what came of running them."""

from collections.abc import Iterator, Mapping, Sequence

from fxanchor.labs.lab import Lab, LabResult, Observation
from fxanchor.sheet.table import Cell, Code, Column, Style, Table
from fxanchor.source.definition import Stop

_STYLES: dict[str, Style] = {"holds": "good", "does not hold": "bad", "changed since": "warn", "not applicable": "dim"}

_PAPER = "Paper: torch.fx, arXiv:2112.08429"


def list_table(labs: Sequence[Lab], *, narrow: bool = False) -> Table:
    """Return the table of all labs.

    Args:
        labs: The labs.
        narrow: Whether to leave out who says it and what it runs on, for a narrow terminal.
    """
    rows = tuple(
        (
            Cell(lab.name, "name"),
            Cell(lab.statement),
            Cell(lab.verdict, _STYLES[lab.verdict]),
            *(() if narrow else (Cell(lab.said_by), Cell(_runs_on(lab), "dim"))),
        )
        for lab in labs
    )
    columns = [Column("lab", whole=True), Column("statement", least=30), Column("verdict", whole=True)]
    if not narrow:
        columns += [Column("said by"), Column("runs on")]
    versions = sorted({version for lab in labs for version in lab.seen_on})
    below = (
        f"{len(labs)} labs; the verdicts are those on torch {' and '.join(versions)}.   {_PAPER}",
        "Try them on yours: fxanchor lab run --all.   On your model: fxanchor lab run NAME --model MODEL",
    )
    return Table(tuple(columns), rows, below)


def lab_text(lab: Lab, stops: Mapping[str, Stop]) -> Iterator[str]:
    """Give the parts of the text on one lab.

    Args:
        lab: The lab.
        stops: From `stops_of`.
    """
    yield f"{lab.name}: {lab.title}"
    lines = [f"Statement  {lab.statement}", f"Said by    {lab.said_by}"]
    lines.append(f"Verdict    {lab.verdict} (torch {', '.join(lab.seen_on)})")
    if lab.changed:
        lines.append(f"Changed    {lab.changed}")
    lines += [f"Means      {lab.meaning}", f"Runs on    {_runs_on(lab)}"]
    lines += _break_lines(lab, stops)
    yield "\n".join(lines)
    yield Code(lab.code)
    yield f"Run it: fxanchor lab run {lab.name}.   As a file of its own: fxanchor lab run {lab.name} --script"


def result_text(
    results: Sequence[LabResult], stops: Mapping[str, Stop], *, narrow: bool = False
) -> Iterator[str | Table]:
    """Give the parts of the text on what came of running labs: all of one or a few, a table of many.

    Args:
        results: From `run_labs`.
        stops: From `stops_of`; empty to leave them out.
        narrow: Whether a table leaves out who says it, for a narrow terminal.
    """
    if len(results) > 3:
        yield _summary(results, narrow)
        return
    for result in results:
        lab = result.lab
        head = f"{lab.name}: {lab.title}\nStatement  {lab.statement}\nSaid by    {lab.said_by}"
        yield "\n".join([head, *_observations(result.observations)])
        lines = [f"Verdict    {result.verdict} (torch {result.torch})"]
        if result.reason:
            lines.append(f"Because    {result.reason}")
        if result.verdict == lab.verdict:
            lines.append(f"Means      {lab.meaning}")
        yield "\n".join([*lines, *_break_lines(lab, stops)])


def _observations(observations: Sequence[Observation]) -> Iterator[str]:
    marks = {True: "agrees", False: "disagrees", None: ""}
    for each in observations:
        many = "\n" in each.seen
        seen = "\n" + "\n".join(f"{'':15}{line}" for line in each.seen.splitlines()) if many else f" {each.seen}"
        yield f"  {marks[each.agrees]:<9}  {each.what}:{seen}"


def _summary(results: Sequence[LabResult], narrow: bool) -> Table:
    rows = tuple(
        (
            Cell(result.lab.name, "name"),
            Cell(result.verdict, _STYLES[result.verdict]),
            Cell(result.lab.statement),
            *(() if narrow else (Cell(result.lab.said_by, "dim"),)),
        )
        for result in results
    )
    columns = [Column("lab", whole=True), Column("verdict", whole=True), Column("statement", least=30)]
    if not narrow:
        columns.append(Column("said by"))
    counts = ", ".join(
        f"{sum(result.verdict == verdict for result in results)} {verdict}"
        for verdict in dict.fromkeys(result.verdict for result in results)
    )
    torch = next((result.torch for result in results if result.torch), "")
    below = (
        *(f"{result.lab.name}: {result.verdict}, {result.reason}." for result in results if result.reason),
        f"{len(results)} labs on torch {torch}: {counts}.",
        "One with all it saw: fxanchor lab run NAME.   What it means: fxanchor lab show NAME",
    )
    return Table(tuple(columns), rows, below)


def _break_lines(lab: Lab, stops: Mapping[str, Stop]) -> Iterator[str]:
    for name in lab.break_at:
        if name in stops:
            stop = stops[name]
            yield f"Watch at   {stop.file}:{stop.line}  {name}" if stop.line else f"Watch at   {name}: {stop.note}"


def _runs_on(lab: Lab) -> str:
    words = "your model" if lab.uses_model else "its own examples"
    needs = f", needs {', '.join(lab.needs)}" if lab.needs else ""
    return words + needs + (", slow" if lab.slow else "")
