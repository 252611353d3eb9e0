"""Classes, private as a module and public through the package."""

from __future__ import annotations

import abc
import sys
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar, overload

if TYPE_CHECKING:
    from .deep.records import Point

    only_for_checkers: int  # def: sample._core.only_for_checkers attribute

T = TypeVar("T")  # def: sample._core.T attribute
Number: TypeAlias = "int | float"  # def: sample._core.Number attribute
first, second = 1, 2  # def: sample._core.first attribute

try:
    from missing_accelerator import fast
except ImportError:
    fast = None  # def: sample._core.fast attribute

if abc:

    def chosen():  # def: sample._core.chosen function
        return 1

else:

    def chosen():
        return 2


if sys.version_info < (3, 0) or sys.platform == "no such":

    def modern():
        return 1

else:

    def modern():  # def: sample._core.modern function
        return 2


if sys.platform.startswith("no such") and abc:
    from .nowhere import placed
else:

    def placed():  # def: sample._core.placed function
        return 1


def same(thing):
    return thing


def twice():
    return "replaced"


def twice():  # def: sample._core.twice function
    return "kept"  # stop: sample._core.twice


class Base(abc.ABC):  # def: sample._core.Base class
    """The base. It has a long first paragraph
    over two lines.

    And a second one.
    """

    __slots__ = ("slotted", "size", "__dict__")  # def: sample._core.Base.slotted attribute

    kind: ClassVar[str] = "base"  # def: sample._core.Base.kind attribute
    declared: int  # def: sample._core.Base.declared attribute

    def __init__(self, size: int, *, name: str = "box", **options: Any) -> None:  # def: sample._core.Base.__init__ method
        self.size = size  # stop: sample._core.Base.__init__ sample.Base sample.Derived sample._core.Base.__init__.size
        self.name: str = name  # def: sample._core.Base.name attribute
        self.options, self.extra = options, None  # def: sample._core.Base.extra attribute
        self._fill()

    def _fill(self) -> None:
        self.filled = True  # def: sample._core.Base.filled attribute

    @property
    def area(self) -> float:  # def: sample._core.Base.area attribute
        """Area in square metres."""
        return self.size * 2.0  # stop: sample._core.Base.area

    @same
    @area.setter
    def area(self, value: float) -> None:  # def: sample._core.Base.area.setter method
        self.size = value / 2  # stop: sample._core.Base.area.setter

    @overload
    def get(self, key: int) -> int: ...
    @overload
    def get(self, key: str) -> str: ...
    def get(self, key):  # def: sample._core.Base.get method
        if key is None:  # stop: sample._core.Base.get
            raise KeyError(f"no key {key} in {self.name}")  # raises: sample._core.Base.get | KeyError | no key {...} in {...}
        if key == "bad":
            raise ValueError("bad " + "key")  # raises: sample._core.Base.get | ValueError | bad key
        if key == "worse":
            raise TypeError("worse: %s" % key)  # raises: sample._core.Base.get | TypeError | worse: %s
        raise NotImplementedError  # raises: sample._core.Base.get | NotImplementedError |

    @staticmethod
    def build(size):  # def: sample._core.Base.build method
        return Base(size)  # stop: sample._core.Base.build

    @classmethod
    def registered(cls, size):  # def: sample._core.Base.registered method
        cls.registry = [size]  # def: sample._core.Base.registry attribute
        return cls(size)

    shorter = build  # def: sample._core.Base.shorter attribute
    typed: Any = registered  # def: sample._core.Base.typed attribute

    class Inner:  # def: sample._core.Base.Inner class
        def run(self):  # def: sample._core.Base.Inner.run method
            return 1  # stop: sample._core.Base.Inner.run


class Mixin(Generic[T]):  # def: sample._core.Mixin class
    def mixed(self) -> T | None:  # def: sample._core.Mixin.mixed method
        return None  # stop: sample._core.Mixin.mixed sample.Derived.mixed


class Derived(Mixin[int], Base):  # def: sample._core.Derived class
    def _fill(self) -> None:  # def: sample._core.Derived._fill method
        super()._fill()  # stop: sample._core.Derived._fill


class Bare:  # def: sample._core.Bare class
    limit = 3  # def: sample._core.Bare.limit attribute


class Failure(ValueError):  # def: sample._core.Failure class
    """An error without code of its own."""


class Made:  # def: sample._core.Made class
    def __new__(cls):  # def: sample._core.Made.__new__ method
        return super().__new__(cls)  # stop: sample._core.Made sample._core.Made.__new__


def hidden_helper(point: Point) -> Point:  # def: sample._core.hidden_helper function
    return point  # stop: sample._core.hidden_helper


def make_box(size):  # def: sample._core.make_box function
    return Base(size)  # stop: sample._core.make_box sample.make_box


class Filled:  # def: sample._core.Filled class
    __doc__ = "Told {} code.\n\nMore.".format("by")
