"""A lathe, for tests."""

from lathe.engine import Engine, Frame, Rack, Spindle, Tools
from lathe.errors import TurnError
from lathe.turning import turn

__all__ = ["Engine", "Frame", "Rack", "Spindle", "Tools", "TurnError", "turn"]
