"""The record of a transform for a person: stage by stage, what changed, and whether it may be trusted."""

import difflib
import itertools
from collections.abc import Iterator

from fxanchor.labs.transform.report import Change, Failure, Stage, TransformReport
from fxanchor.model.report import Trigger
from fxanchor.sheet.table import Cell, Code, Column, Style, Table

_STYLES: dict[str, Style] = {"added": "good", "removed": "bad", "retargeted": "warn", "rewired": "dim", "moved": "dim"}

_CONTEXT = 2  # unchanged lines of code shown around changed ones


def transform_parts(report: TransformReport, *, with_code: bool, narrow: bool = False) -> Iterator[str | Table]:
    """Give the parts to print, one below the other.

    Args:
        report: From `transform_model`.
        with_code: Whether to end with the annotated code.
        narrow: Whether the terminal has no room for a change in one row, nor for code beside code.
    """
    built = f", built by {report.built_by}" if report.built_by else ""
    yield "\n".join([f"{report.file}:{report.target}{built}", *report.notes])
    if report.matches:
        yield match_table(report)
    for number, stage in enumerate(report.stages, 1):
        yield f"Stage {number}  {stage.name}  ({stage.kind})"
        if stage.changes:
            yield "\n\n".join(map(_change_lines, stage.changes)) if narrow else change_table(stage)
        if stage.code_after and stage.code_after != stage.code_before:
            yield Code("\n".join(_code_diff(stage))) if narrow else code_table(stage)
        yield "\n".join(_facts(stage))
    if report.not_run:
        yield f"Not run: {', '.join(report.not_run)}"
    if with_code:
        yield Code(report.code)


def change_table(stage: Stage) -> Table:
    """Return the table of the nodes that a stage changed."""
    rows = tuple(
        (
            Cell(change.kind, _STYLES[change.kind]),
            Cell(change.name, "name"),
            Cell(_short(change.before), code=True),
            Cell(_short(change.after), code=True),
            Cell(_place(change.trigger), "path"),
            Cell(_place(change.made_at), "path"),
        )
        for change in stage.changes
    )
    columns = (
        Column("change"),
        Column("node"),
        Column("before", least=16),
        Column("after", least=16),
        Column("your line", least=12),
        Column("line of the pass", least=12),
    )
    return Table(columns, rows)


def _change_lines(change: Change) -> str:
    """Return one change line by line, what it was above what it is."""
    told = (
        ("before", _short(change.before)),
        ("after", _short(change.after)),
        ("yours", _place(change.trigger)),
        ("pass", _place(change.made_at)),
    )
    return "\n".join([f"{change.kind}  {change.name}", *(f"  {label:<6}  {text}" for label, text in told if text)])


def _code_diff(stage: Stage) -> Iterator[str]:
    """Give the generated code before and after a stage as a diff without file names."""
    left, right = stage.code_before.strip().splitlines(), stage.code_after.strip().splitlines()
    diff = difflib.unified_diff(left, right, "", "", lineterm="", n=_CONTEXT)
    yield "code of the stage, - before and + after"
    yield from (line for line in itertools.islice(diff, 2, None) if not line.startswith("@@"))


def code_table(stage: Stage) -> Table:
    """Return the generated code before and after a stage side by side, changed lines marked and others cut short."""
    left, right = stage.code_before.strip().splitlines(), stage.code_after.strip().splitlines()
    matcher = difflib.SequenceMatcher(None, left, right, False)
    rows: list[tuple[Cell, ...]] = []
    reached = 0
    for group in matcher.get_grouped_opcodes(_CONTEXT):
        rows += _left_out(group[0][1] - reached)
        reached = group[-1][2]
        for tag, first, last, start, end in group:
            for offset in range(max(last - first, end - start)):
                one = left[first + offset] if first + offset < last else ""
                other = right[start + offset] if start + offset < end else ""
                same = tag == "equal"
                rows.append((Cell("" if same else "*"), _code(one, same, "bad"), _code(other, same, "good")))
    rows += _left_out(len(left) - reached)
    columns = (
        Column("", least=1),
        Column("code before", least=20),
        Column("code after", least=20),
    )
    return Table(columns, tuple(rows))


def _left_out(lines: int) -> Iterator[tuple[Cell, ...]]:
    if lines:
        words = f"... {lines} line{'' if lines == 1 else 's'} the same"
        yield Cell(""), Cell(words, "dim"), Cell(words, "dim")


def match_table(report: TransformReport) -> Table:
    """Return the table of what a pattern takes and what it just misses."""
    rows = tuple(
        (
            Cell("taken" if match.taken else "missed", "good" if match.taken else "warn"),
            Cell(match.name, "name"),
            Cell(match.op),
            Cell(match.target),
            Cell(_place(match.trigger), "path"),
        )
        for match in report.matches
    )
    taken = sum(match.taken for match in report.matches)
    below = (f"{taken} taken, {len(rows) - taken} of the same operation in another spelling missed.",)
    columns = (
        Column("", least=6),
        Column("node"),
        Column("opcode"),
        Column("target"),
        Column("your line"),
    )
    return Table(columns, rows, below)


def _facts(stage: Stage) -> Iterator[str]:
    if stage.nodes_after:
        counts = {kind: sum(change.kind == kind for change in stage.changes) for kind in _STYLES}
        done = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count) or "graph unchanged"
        yield f"  nodes    {stage.nodes_before} -> {stage.nodes_after}: {done}"
        yield f"  lint     {stage.lint or 'nothing to complain of'}"
        if stage.dead:
            yield f"  dead     nobody reads {', '.join(stage.dead)}"
        if stage.stale:
            yield "  code     the graph was edited and the old code still runs: call recompile()"
    for change in stage.state:
        yield f"  holds    {change.what} {change.kind}: {change.name} ({change.detail})"
    if stage.in_place:
        yield f"  input    {stage.in_place}"
    if (seen := stage.comparison) is not None:
        verdict = "within" if seen.within else "beyond"
        numbers = f"absolute {seen.absolute:.3g}, relative {seen.relative:.3g}; {verdict} {seen.tolerance:g}"
        yield f"  results  {seen.problem or numbers}"
    if stage.failure is not None:
        yield from _failure(stage.failure)


def _failure(failure: Failure) -> Iterator[str]:
    yield f"  broke    {failure.doing}: {failure.message}"
    if failure.at:
        yield f"           at {_place(failure.at)}"
    if failure.node:
        yield f"           at node {failure.node}"
    if failure.trigger:
        yield f"           from your line {_place(failure.trigger)}"


def _place(trigger: Trigger | None) -> str:
    return f"{trigger.file}:{trigger.line} {trigger.expression}" if trigger else ""


def _short(node: str) -> str:
    """Return a node as torch prints it without what the table says anyway."""
    return node.partition(" : ")[2].partition("] = ")[2] or node


def _code(line: str, same: bool, style: Style) -> Cell:
    return Cell(line, "dim" if same else style, code=True)


def broken(report: TransformReport) -> bool:
    """Tell whether a stage broke, does not pass lint, or gives results beyond the tolerance."""
    return any(
        stage.failure or stage.lint or (stage.comparison is not None and not stage.comparison.within)
        for stage in report.stages
    )
