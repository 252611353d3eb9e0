"""The parts of a lathe."""

from elsewhere import Unknown

from bench import Shelf, Stand


class Tools:
    """The tools of an engine, one behind the other."""

    def __iter__(self):
        return iter(())


class Spindle:
    """What turns."""

    speed: int = 0

    def spin(self, rate: int) -> None:
        self.rate = rate


class Engine:
    """What drives the spindle.

    The belt is checked before the spindle is allowed to turn.
    """

    def __init__(self, spindle: Spindle, *, oil: bool = True) -> None:
        self._spindle = spindle
        # Oil that is too thin is thrown off the belt.
        self.oil = oil

    @property
    def tools(self) -> Tools:
        return Tools()

    def start(self, seconds: float) -> Spindle:
        return self._spindle

    def __getstate__(self):
        return {}


class Frame(Stand):
    """What the engine stands on."""


class Rack(Shelf):
    """What holds anything."""


class Riddle(Unknown):
    """Nobody knows what it has."""


class TwinEngine(Engine):
    """An engine with two belts."""
