"""Breakpoints as a `.pdbrc`, in commands that pdb of every Python since 3.8 understands."""

from collections.abc import Sequence

from fxanchor.breakpoints.export.point import Point
from fxanchor.errors import UsageError

_HEAD = "# Breakpoints proven by fxanchor. Save as .pdbrc where you start: python -m pdb your_script.py"


def pdbrc(points: Sequence[Point]) -> str:
    """Return the text of a `.pdbrc` that sets the breakpoints.

    Raises:
        UsageError: When a path holds what pdb takes for the end of a command.
    """
    lines = [_HEAD]
    for point in points:
        path = str(point.path)
        # pdb splits a line at `;;`, a breakpoint's argument at the first comma, and cuts blanks at the ends.
        if "," in path or ";;" in path or "\n" in path or path != path.strip():
            raise UsageError(f"pdb cannot take a breakpoint in {path!r}; use another --export, such as dap.")
        lines += [f"# {point.text}", f"b {path}:{point.line}"]
    return "\n".join(lines) + "\n"
