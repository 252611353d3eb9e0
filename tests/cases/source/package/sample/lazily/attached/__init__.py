"""Lists its modules and their names in a call."""

import lazy_loader as _lazy

_MODULES = ["parts"]
(__getattr__, __dir__, _) = _lazy.attach(__name__, submodules=_MODULES, submod_attrs={"parts": ["part", "nothing"]})
