"""Compare what a listing prints with what the paper says it prints, line by line."""

import difflib
import re
from collections.abc import Iterator, Sequence

from fxanchor.labs.listings.listing import Line, LineKind

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,16}\b")
_LONGEST = 2000  # lines compared of each side


def compare_output(paper: str, here: str) -> tuple[Line, ...]:
    """Return the lines of both side by side.

    Blank lines and blanks at the ends of lines do not count.

    Args:
        paper: What the paper says is printed.
        here: What was printed.
    """
    left, right = _lines(paper), _lines(without_addresses(here))
    matcher = difflib.SequenceMatcher(None, [_loose(line) for line in left], [_loose(line) for line in right], False)
    return tuple(line for code in matcher.get_opcodes() for line in _pair(left, right, code))


def without_addresses(text: str) -> str:
    """Return a text without memory addresses, which are others in every run."""
    return _ADDRESS.sub("0x...", text)


def is_same(lines: Sequence[Line]) -> bool:
    """Tell whether nothing differs but what the paper leaves out or a PDF cannot keep."""
    return all(line.kind != "different" for line in lines)


def _pair(left: list[str], right: list[str], code: tuple[str, int, int, int, int]) -> Iterator[Line]:
    tag, first, last, start, end = code
    if tag in ("equal", "replace"):
        for one, other in zip(left[first:last], right[start:end], strict=False):
            yield Line(_kind(one, other), one, other)
    common = min(last - first, end - start)
    yield from (Line("different", one, None) for one in left[first + common : last])
    yield from (Line("different", None, other) for other in right[start + common : end])


def _kind(paper: str, here: str) -> LineKind:
    if paper == here:
        return "same"
    if without_addresses(paper) == here:
        return "address"
    if _loose(paper) == _loose(here):
        return "blanks"
    return "elided" if "..." in paper and _elides(_loose(paper), _loose(here)) else "different"


def _elides(paper: str, here: str) -> bool:
    """Tell whether `here` is `paper` with something in the place of each `...`; linear in both."""
    head, *middle, tail = (part.strip() for part in paper.split("..."))
    if not here.startswith(head) or not here.endswith(tail) or len(here) < len(head) + len(tail):
        return False
    at = len(head)
    for part in middle:
        at = here.find(part, at, len(here) - len(tail))
        if at < 0:
            return False
        at += len(part)
    return True


def _loose(line: str) -> str:
    return " ".join(without_addresses(line).split())


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.expandtabs(4).splitlines() if line.strip()][:_LONGEST]
