"""Tables of names, in all the forms that are in use."""

from importlib import import_module

_PAIRS = {"Made": ("sample.lazily._made", "Made"), "renamed": (".._made", "make")}
_PLACES: dict[str, str] = {
    "make": ".._made",
    "curved": "sample.curve:bend",
    "leaf": "leaf",
    "shape": "sample.lazily._made",
    "decorated": "sample.functions.decorated",
    "absent": "leaf",
}
_PARENTS = {"twig": (__spec__.parent, ".leaf"), "leaf_module": (__spec__.parent, "__module__")}
__all__ = list(_PAIRS)


def __getattr__(name):  # def: sample.lazily.table.__getattr__ function
    return getattr(import_module(_PLACES[name], __name__), name)
