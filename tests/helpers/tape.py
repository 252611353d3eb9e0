"""A recorder small enough to see through: boxes write down on a tape whatever is done to them."""

from types import FrameType
from typing import Any

from fxanchor.breakpoints.recording import Recording


class Step:
    """One thing written down."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


class Tape:
    """What was written down."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def write(self, name: str) -> "Box":
        step = Step(name)
        self.steps.append(step)
        return Box(self, step)


class Box:
    """Stands for a value; every use of it is written on its tape."""

    def __init__(self, tape: Tape, step: Step) -> None:
        self.tape = tape
        self.step = step

    def __getattr__(self, name: str) -> "Later":
        return Later(self, name)

    def __add__(self, other: object) -> "Box":
        return self.tape.write("add")

    def __eq__(self, other: object) -> Any:
        return self.tape.write("eq")

    __hash__ = object.__hash__

    def __getitem__(self, key: object) -> "Box":
        return self.tape.write("getitem")

    def __bool__(self) -> bool:
        self.tape.write("bool")
        return True

    def __repr__(self) -> str:
        return f"Box({self.step.name})"


class Later(Box):
    """An attribute of a box, written down only when it is used."""

    def __init__(self, root: Box, attribute: str) -> None:
        self.root = root
        self.tape = root.tape
        self.attribute = attribute

    @property
    def step(self) -> Step:  # type: ignore[override]
        return self.tape.write(f"get {self.attribute}").step

    def __call__(self, *args: object) -> Box:
        return self.tape.write(self.attribute)


class Unfriendly:
    """Its repr raises."""

    def __repr__(self) -> str:
        raise RuntimeError("not for your eyes")


RECORDING = Recording((Box,), ((Tape, "write"),), "step")


def stopped() -> tuple[FrameType, Tape]:
    """Return a frame with boxes among its variables, and the tape they write on."""
    import sys

    tape = Tape()
    y = tape.write("y")
    later = Later(y, "shape")
    pair = (y, tape.write("z"))
    plain = {"b": 2, "a": 1}
    numbers = [3, 1, 2]
    unfriendly = Unfriendly()

    def use(value: object) -> object:
        return value + 1  # type: ignore[operator]

    def inner() -> tuple[FrameType, Tape]:
        # What a nested function uses becomes a variable of its frame.
        held = [later, y, pair, plain, numbers, unfriendly, use]
        del held
        return sys._getframe(), tape

    return inner()
