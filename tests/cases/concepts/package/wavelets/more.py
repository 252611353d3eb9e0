"""Kinds of a transform."""


class Haar:
    """Steps."""

    def expand_all(self) -> None:
        """Every step."""


class Morlet:
    """Waves."""

    def expand_all(self) -> None:
        """Every wave."""

    def value(self) -> None:
        """The height."""


def tile(series: list[float], rate: float) -> list[float]:
    """Repeated series."""
    return series * int(rate)
