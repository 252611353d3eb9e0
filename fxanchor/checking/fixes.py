"""Corrections of line citations, as a patch."""

import difflib
import re
from collections.abc import Iterator

from fxanchor.checking.reference import Checked, Reference


def line_fixes(checked: Checked) -> str:
    """Return a unified diff that gives moved line citations their present numbers; "" when there are none.

    Args:
        checked: The text with its references.
    """
    text = checked.text
    fixed = text.content
    for reference in sorted(checked.references, key=lambda one: one.start, reverse=True):
        if reference.kind == "line" and reference.verdict == "moved" and reference.suggestion:
            cited = text.content[reference.start : reference.end]
            fixed = fixed[: reference.start] + _corrected(cited, reference) + fixed[reference.end :]
    return "".join(_diff(text.content, fixed, text.path))


def _corrected(cited: str, reference: Reference) -> str:
    """Return a citation with the numbers of the suggestion in the places of its own."""
    _, _, span = reference.suggestion.rpartition(":")
    first, _, last = span.partition("-")
    numbers = reference.target.rpartition(":")[2].split()[0].split("-")
    pattern = re.compile(rf"(?<!\d){numbers[0]}(?P<between>\D{{1,16}}?){numbers[-1]}(?!\d)")
    if len(numbers) > 1 and (both := pattern.search(cited)):
        return f"{cited[: both.start()]}{first}{both['between']}{last or first}{cited[both.end() :]}"
    return re.sub(rf"(?<!\d){numbers[0]}(?!\d)", first, cited, count=1)


def _diff(before: str, after: str, path: str) -> Iterator[str]:
    name = path.lstrip("/")
    for line in difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{name}", f"b/{name}"
    ):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
