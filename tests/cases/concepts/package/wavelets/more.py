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


MEY = Haar


def tile_all(series: list[float], rate: float) -> list[float]:
    """Repeated series."""
    return series * int(rate)


def tile(series: list[float]) -> list[float]:
    """Series twice."""
    return tile_all(series, 2)
