"""Series of periodic signals."""

__all__ = ["ffs"]


def ffs(x, T=1.0):
    """
    Coefficients of a periodic signal from its samples.

    Parameters
    ----------
    x : array
    T : float
    """
    return [T * value for value in x]
