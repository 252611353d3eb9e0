"""Imports inside `__getattr__`."""

_NAMES = {"shape", "missing"}


def __getattr__(name):  # def: sample.lazily.asked.__getattr__ function
    if name == "Made":
        from .._made import Made

        return Made
    if name == "Former":
        import warnings

        from .._made import Made

        return Made
    match name:
        case "make" | "produce":
            from .. import _made

            return getattr(_made, name)
    if name not in _NAMES:
        raise AttributeError(name)
    from .. import _made as made

    return getattr(made, name)
