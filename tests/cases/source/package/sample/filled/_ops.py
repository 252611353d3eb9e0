"""Names that a package takes over with `*`, one of them private."""

__all__ = ["_mix", "mix"]


def mix():  # def: sample.filled._ops.mix function
    return _mix()


def _mix():  # def: sample.filled._ops._mix function
    return 0
