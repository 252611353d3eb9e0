"""Transformations of the plane as PDF writes them."""

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
