"""Where to sample."""

__all__ = ["ffs_sample"]


def ffs_sample(T, N_FS):
    """
    Places at which a signal must be sampled.
    """
    return [T / N_FS * index for index in range(N_FS)]
