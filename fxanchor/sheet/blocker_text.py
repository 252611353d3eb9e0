"""What stands in the way of a capture, in words: the expression underlined, who raised, why, and ways past it."""

from collections.abc import Callable, Iterator, Sequence

from fxanchor.model.report import Blocker, Capture, RaisedAt, Recipe
from fxanchor.sheet.escape import plain, plain_lines

# Gives the text of a source line by path and number, or "" when it cannot be read.
SourceLine = Callable[[str, int], str]
# Indented by four, a line of the user's fits 80 columns, where a terminal would break it and part it from its mark.
_WIDEST = 76
# The graph computes what the model computed when it was traced; it only no longer follows what changes afterwards.
_RIGHT_WHEN_TRACED = frozenset({"constant-baked", "training-baked", "checkpoint-lost"})


def capture_words(capture: Capture, source_line: SourceLine) -> str:
    """Return everything that must be said about how a model was captured, or "" when there is nothing.

    Args:
        capture: What became of it.
        source_line: Gives the text of a line of the user's files.
    """
    parts = [*_steps(capture), *_blockers(capture.blockers, source_line)]
    parts.extend(f"Note: {plain(note)}" for note in capture.notes)
    return "\n".join(parts)


def _steps(capture: Capture) -> Iterator[str]:
    for step in capture.steps:
        if not step.ok and step.reason:
            number = f" (blocker {step.blocker + 1} below)" if step.blocker is not None else ""
            yield f"{step.rung}: {plain(step.reason)}{number}"
        elif step.ok and step.reason:
            yield f"{step.rung}: {plain(step.reason)}"


def _blockers(blockers: Sequence[Blocker], source_line: SourceLine) -> Iterator[str]:
    for number, blocker in enumerate(blockers, 1):
        yield ""
        yield from _underlined(number, blocker, source_line(blocker.file, blocker.line))
        told = plain(blocker.explanation)
        if blocker.raised_at is not None:
            told += f" ({_who_raised(blocker.raised_at)})"
        yield f"    {told}"
        if blocker.message and not blocker.silent:
            yield f"    {plain(blocker.message)}"
        if blocker.cause is not None:
            cause = blocker.cause
            yield f"    The cause is {cause.file}:{cause.line}:{cause.col}  {plain(cause.expression)}"
        for recipe in blocker.recipes:
            yield from _recipe(recipe)


def _who_raised(who: RaisedAt) -> str:
    """Say who raised: a line, or the compiled code that has none."""
    if not who.file or not who.line:
        return f"raised by {plain(who.symbol)}"
    return f"raised at {who.file}:{who.line} {plain(who.symbol)}"


def _underlined(number: int, blocker: Blocker, text: str) -> Iterator[str]:
    place = f"{blocker.file}:{blocker.line}:{blocker.col}"
    kind = blocker.kind
    if blocker.silent:
        kind += ", silent: nothing raises" + ("" if kind in _RIGHT_WHEN_TRACED else ", the graph is wrong")
    yield f"{number:2}  {place}  {kind}"
    if not text.strip():
        yield f"    {plain(blocker.expression)}"
        return
    lead = len(text) - len(text.lstrip())
    if blocker.col - lead >= _WIDEST * 3 // 4:
        # What is meant is behind the bound: show the line from a little before it.
        lead = blocker.col - _WIDEST // 4
    shown = plain_lines(text).rstrip()[lead : lead + _WIDEST]
    begin = blocker.col - lead
    length = (blocker.end_col if blocker.end_col > blocker.col else len(text.rstrip())) - blocker.col
    yield f"    {shown}"
    if 0 <= begin < len(shown):
        yield f"    {' ' * begin}{'^' * max(1, min(length, len(shown) - begin))}"


def _recipe(recipe: Recipe) -> Iterator[str]:
    mark = "Verified" if recipe.verified else "Not tried"
    nodes = _outcome(recipe) if recipe.verified else ""
    lines = plain_lines(recipe.change).split("\n")
    if len(lines) == 1 and len(lines[0]) <= 60:
        title = plain(recipe.title).removesuffix(f": {lines[0]}")
        yield f"    {mark}: {title}: {lines[0]}{nodes}"
        return
    yield f"    {mark}: {plain(recipe.title)}{nodes}"
    for line in lines:
        yield f"        {line}"


def _outcome(recipe: Recipe) -> str:
    """Say what a trace with a recipe came to: alone, or behind other blockers that were passed as well."""
    nodes = f"{recipe.nodes} node{'' if recipe.nodes == 1 else 's'}"
    if recipe.stops_at:
        before = ", with the blockers before it passed too" if recipe.behind_others else ""
        return f"  -> gets past this, and stops after {nodes} at {plain(recipe.stops_at)}{before}"
    others = ", with the other blockers passed too" if recipe.behind_others else ""
    return f"  -> {nodes}{others}" if recipe.nodes else ""
