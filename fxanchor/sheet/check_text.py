"""What `fxanchor check` prints for people, and as annotations of a pull request."""

from collections import Counter
from collections.abc import Iterator, Sequence

from fxanchor.checking.reference import Checked, Reference, Text
from fxanchor.sheet.escape import plain, shortened

_FLAGGED = ("wrong", "moved")
_MOST_TEXT = 90


def check_text(checked: Sequence[Checked], *, everything: bool = False) -> str:
    """Return the verdicts as lines: what is wrong or moved, then how many there are of each kind.

    Args:
        checked: The files with their references.
        everything: Whether to list what is right or cannot be told too.
    """
    lines: list[str] = []
    for one in checked:
        for reference in one.references:
            if everything or reference.verdict in _FLAGGED:
                lines += _described(one.text, reference)
    counts = Counter(reference.verdict for one in checked for reference in one.references)
    total = ", ".join(f"{counts[verdict]} {verdict}" for verdict in ("right", "moved", "wrong", "cannot tell"))
    return "\n".join([*lines, total]) + "\n"


def github_annotations(checked: Sequence[Checked]) -> str:
    """Return workflow commands that annotate what is wrong (an error) or moved (a warning).

    Args:
        checked: The files with their references.
    """
    lines = []
    for one in checked:
        for reference in one.references:
            if reference.verdict in _FLAGGED:
                line, column = one.text.position(reference.start)
                end_line, end_column = one.text.position(max(reference.start, reference.end - 1))
                level = "error" if reference.verdict == "wrong" else "warning"
                place = f"file={_property(one.text.path)},line={line},endLine={end_line}"
                if line == end_line:
                    place += f",col={column + 1},endColumn={end_column + 1}"
                title = f"{reference.kind} {reference.verdict}"
                lines.append(f"::{level} {place},title={_property(title)}::{_data(explained(reference))}")
    return "\n".join(lines) + "\n" if lines else ""


def explained(reference: Reference) -> str:
    """Return the evidence of a reference and what to write instead, in one line.

    Args:
        reference: The reference.
    """
    now = f". Now: {reference.suggestion}" if reference.suggestion else ""
    return plain(f"{reference.evidence}{now}")


def _described(text: Text, reference: Reference) -> Iterator[str]:
    line, column = text.position(reference.start)
    shown = shortened(text.content[reference.start : reference.end], _MOST_TEXT)
    yield f"{plain(text.path)}:{line}:{column}: {reference.verdict}: {shown}"
    yield f"    {plain(reference.evidence)}"
    if reference.suggestion:
        yield f"    now: {plain(reference.suggestion)}"


def _data(words: str) -> str:
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(words: str) -> str:
    return _data(words).replace(":", "%3A").replace(",", "%2C")
