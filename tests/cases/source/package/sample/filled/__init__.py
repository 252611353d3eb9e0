"""A package whose `__all__` only code tells."""

from ..curve import bend
from ._ops import *

_hidden = 1
shown = 2  # def: sample.filled.shown attribute
__all__ = [name for name in dict(globals()) if name[0] != "_"]
