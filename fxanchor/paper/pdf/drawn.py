"""Thin horizontal lines among what a page draws: strokes of two points, and filled rectangles."""

from typing import Final

from fxanchor.paper.pdf.content import Operand
from fxanchor.paper.pdf.matrix import Matrix, apply, number
from fxanchor.paper.pdf.spans import Rule

_MAX_RULES: Final = 4_000
_MAX_RECTANGLES: Final = 64
# In points.
_THICKEST: Final = 1.5
_LONGEST: Final = 5_000.0


class Drawn:
    """Takes the operators that draw, and keeps the rules among them.

    Args:
        rules: Where they are added.
    """

    def __init__(self, rules: list[Rule]) -> None:
        self._rules = rules
        self._rectangles: list[tuple[Rule, float]] = []

    def stroke(self, operands: list[Operand], matrix: Matrix) -> None:
        """Take a stroked line of two points."""
        x0, y0, x1, y1 = (number(operand) for operand in operands[:4])
        start, end = apply(matrix, x0, y0), apply(matrix, x1, y1)
        self._keep(Rule(min(start[0], end[0]), max(start[0], end[0]), start[1]), abs(start[1] - end[1]))

    def rectangle(self, operands: list[Operand], matrix: Matrix) -> None:
        """Take a rectangle that becomes part of the current path."""
        x, y, width, height = (number(operand) for operand in operands[-4:])
        (x0, y0), (x1, y1) = apply(matrix, x, y), apply(matrix, x + width, y + height)
        if len(self._rectangles) < _MAX_RECTANGLES:
            self._rectangles.append((Rule(min(x0, x1), max(x0, x1), (y0 + y1) / 2), abs(y1 - y0)))

    def fill(self) -> None:
        """Paint the current path."""
        for rule, height in self._rectangles:
            self._keep(rule, height)
        self._rectangles.clear()

    def _keep(self, rule: Rule, height: float) -> None:
        if height <= _THICKEST and 1.0 < rule.x1 - rule.x0 < _LONGEST and len(self._rules) < _MAX_RULES:
            self._rules.append(rule)
