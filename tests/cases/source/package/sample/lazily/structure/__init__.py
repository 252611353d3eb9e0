"""Replaces itself with an object that imports by a table."""

import sys
from typing import TYPE_CHECKING

from lazy_objects import LazyModule

_import_structure = {"parts": []}
try:
    import something
except ImportError:
    pass
else:
    _import_structure["parts"].append("part")
    _import_structure["more.deep"] = ["deeper"]

if TYPE_CHECKING:
    from .._made import Made
else:
    sys.modules[__name__] = LazyModule(__name__, globals()["__file__"], _import_structure)
