"""Objects that know what they hold."""

import enum
from typing import Self


class Window(enum.Enum):
    """Shapes of a window."""

    FULL_WIDTH = 1
    HALF_WIDTH = 2


class Series:
    """Coefficients with their period."""

    def __init__(self, period: float) -> None:
        self.period = period
        self.key = ""

    def resample(self, rate: float) -> "Series":
        """Another rate."""
        return Series(self.period * rate)

    def envelope(self) -> float:
        """Outer shape."""
        return self.period

    def doubled(self) -> "Self":
        """The same kind, longer."""
        return type(self)(2 * self.period)

    def fine16(self) -> "Series":
        """Finer samples."""
        return self

    def coarse8(self) -> "Series":
        """Coarser samples."""
        return self


class Wavelets:
    """All of them."""


class _Planner:
    """Chooses how to transform."""

    def can_merge(self, other: "_Planner") -> bool:
        """Whether two plans fit."""
        return other is not self


class Planner(_Planner):
    """The planner in use."""


def smooth(series: Series, rate: float, envelope: float = 1.0) -> Series:
    """Smoothed coefficients."""
    return series


default = Series(1.0)
