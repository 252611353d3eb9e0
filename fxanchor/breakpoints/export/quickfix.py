"""Breakpoints as `file:line: text` lines, which Vim's quickfix list and Emacs' compilation mode read."""

from collections.abc import Sequence

from fxanchor.breakpoints.export.point import Point


def quickfix(points: Sequence[Point]) -> str:
    """Return one line for each breakpoint (`vim -q FILE`; in Emacs `M-x compile` with `cat FILE`)."""
    return "".join(f"{point.path}:{point.line}: {point.text}\n" for point in points)
