"""Transformations of the plane as PDF writes them."""

import math
from collections.abc import Sequence
from typing import Final

Matrix = tuple[float, float, float, float, float, float]

IDENTITY: Final[Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def multiply(left: Matrix, right: Matrix) -> Matrix:
    """Return the matrix that applies `left` first and `right` then."""
    a, b, c, d, e, f = left
    g, h, i, j, k, m = right
    return (
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + m,
    )


def apply(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """Return where a matrix takes a point."""
    a, b, c, d, e, f = matrix
    return x * a + y * c + e, x * b + y * d + f


def number(operand: object) -> float:
    """Return an operand as a finite number.

    Raises:
        TypeError: When it is none.
    """
    if isinstance(operand, float) and math.isfinite(operand):
        return operand
    raise TypeError


def matrix_of(operands: Sequence[object]) -> Matrix:
    """Return the last six operands as a matrix.

    Raises:
        TypeError: When one is no number.
        ValueError: When there are fewer.
    """
    a, b, c, d, e, f = operands[-6:]
    return (number(a), number(b), number(c), number(d), number(e), number(f))
