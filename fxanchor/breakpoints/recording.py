"""What records during a capture: the objects whose use adds to the graph, and the functions that add to it."""

import contextlib
import importlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

# A value of the program that is looked at: nothing is known of its type.
Value = Any


class RecordingRefusedError(Exception):
    """Something tried to record while recording was switched off."""


@dataclass(frozen=True, slots=True)
class Recording:
    """The parts of the captured package that record.

    Attributes:
        types: Classes whose instances record what is done to them.
        functions: The functions that add to the graph, each as its owner (a class or module) and its name there.
        look_through: Name of the attribute of a recording object through which it can be looked at safely.
    """

    types: tuple[type, ...] = ()
    functions: tuple[tuple[Value, str], ...] = ()
    look_through: str = ""

    def records(self, value: object) -> bool:
        """Tell whether what is done to `value` is recorded."""
        return bool(self.types) and issubclass(type(value), self.types)

    def holds_recorder(self, value: object, depth: int = 3) -> bool:
        """Tell whether `value` is a recording object, or a built-in container that holds one.

        Args:
            value: Anything.
            depth: How many containers deep to look.
        """
        if self.records(value):
            return True
        if depth == 0:
            return False
        if type(value) in (list, tuple, set, frozenset):
            return any(self.holds_recorder(item, depth - 1) for item in list(value))  # type: ignore[call-overload]
        if isinstance(value, dict):
            return any(self.holds_recorder(item, depth - 1) for pair in list(value.items()) for item in pair)
        return False

    @contextlib.contextmanager
    def switched_off(self) -> Iterator[None]:
        """Make every recording function raise `RecordingRefusedError` until the block ends."""
        saved = [(owner, name, vars(owner)[name]) for owner, name in self.functions if name in vars(owner)]
        try:
            for owner, name, _ in saved:
                setattr(owner, name, _refuse)
            yield
        finally:
            for owner, name, original in saved:
                setattr(owner, name, original)


def load_recording(objects: Sequence[str], functions: Sequence[str], look_through: str) -> Recording:
    """Import what the catalogue names as recording; a name that this version does not have is left out.

    Args:
        objects: Qualified names of classes.
        functions: Qualified names of functions and methods.
        look_through: See `Recording`.
    """
    types = [found for name in objects if isinstance(found := find_object(name), type)]
    owners = [(find_object(name.rpartition(".")[0]), name.rpartition(".")[2]) for name in functions]
    return Recording(tuple(types), tuple((owner, name) for owner, name in owners if owner is not None), look_through)


def find_object(qualified: str) -> Value | None:
    """Import the object of a qualified name, or return None when there is none of that name."""
    parts = qualified.split(".")
    for split in range(len(parts), 0, -1):
        try:
            found: Value = importlib.import_module(".".join(parts[:split]))
        except ImportError:
            continue
        for part in parts[split:]:
            found = getattr(found, part, None)
            if found is None:
                return None
        return found
    return None


def _refuse(*_args: object, **_kwargs: object) -> None:
    raise RecordingRefusedError("this would record a node")
