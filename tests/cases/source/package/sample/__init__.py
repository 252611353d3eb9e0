"""A package with every way of defining and re-exporting a name.

Importing it must not be needed: see `forbidden`.
"""

import os
import os.path as path_module

from . import deep
from ._core import Base, Derived, hidden_helper
from ._core import make_box as make_box
from .curve import *
from .functions import decorated, plain
from .functions import plain as simple

__all__ = ["Base", "Derived", "decorated", "simple", "VERSION"]
__all__ += ["curve"]
__all__.append("late")
__all__.extend(["Point"])

VERSION = "1.0"  # def: sample.VERSION attribute
late = os.sep  # def: sample.late attribute
Point = deep.records.Point  # def: sample.Point attribute
