"""What is woven."""

from yarns import Yarn


class Thread:
    """A thread, which knotting makes longer."""

    length: float = 0.0

    def knot(self) -> None: ...

    def knot_twice(self) -> None: ...

    def __len__(self) -> int:
        return 0


for sign in ("add", "mul"):
    setattr(Thread, f"__{sign}__", lambda self, other: self)


class Cord(Thread):
    """A thread of threads."""


class Cloth(Yarn):
    """What has been woven."""

    def fold(self) -> None: ...


Cloth.colour = "grey"
setattr(Cloth, "weight", 1.0)  # noqa: B010


def weave(threads: list[Thread]) -> Cloth:
    """Weave."""
    return Cloth()


def floor() -> None: ...
