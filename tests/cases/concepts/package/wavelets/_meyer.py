"""A wave that is not in the open."""


class MeyerWave:
    """Smooth waves."""

    def support_of(self) -> float:
        """Where it is not nothing."""
        return 1.0

    def flat(self) -> float:
        """Where it is nothing."""
        return 0.0
