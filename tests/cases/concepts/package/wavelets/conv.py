"""Products of series."""

__all__ = ["convolve"]


def convolve(f, h):
    """
    Convolution of two periodic functions.
    """
    return [a * b for a, b in zip(f, h)]
