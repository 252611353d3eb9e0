"""Transforms on a spiral."""

__all__ = ["czt"]


def czt(x, A, W, M):
    """
    Chirp Z-transform.

    Parameters
    ----------
    x : array
    A : complex
    W : complex
    M : int
    """
    return [A * W * M * value for value in x]
