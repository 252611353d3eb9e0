"""Stand-ins for packages that are not installed: they let a file be imported and fail when they are really used."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType, FunctionType, ModuleType
from typing import ClassVar, NoReturn

from fxanchor.model.modules import is_class

# Where the name to install is not the name to import.
_DISTRIBUTIONS = {
    "cv2": "opencv-python",
    "PIL": "pillow",
    "sklearn": "scikit-learn",
    "skimage": "scikit-image",
    "yaml": "pyyaml",
    "pytorch_lightning": "lightning",
    "tensorboardX": "tensorboardX",
    "hydra": "hydra-core",
    "Bio": "biopython",
}


class MissingPackageError(ImportError):
    """Something of a package that is not installed was really used.

    Args:
        used: What was used, such as `timm.layers.DropPath`.
        package: The package, or part of a package, that is missing.
    """

    def __init__(self, used: str, package: str) -> None:
        super().__init__(f"{used} is used, and {package} cannot be imported", name=package)
        self.used = used
        self.package = package

    @property
    def advice(self) -> str:
        """The next step."""
        if "." in self.package:
            return f"make {self.package} importable"
        return f"install it, as in pip install {_DISTRIBUTIONS.get(self.package, self.package)}"


@dataclass(slots=True)
class StandIns:
    """What the stand-ins of one import share.

    Attributes:
        importing: Whether the file is still being imported; afterwards every use fails.
        decorated: Tells the name of the function or class that a frame is about to decorate, or "".
        names: The modules that were stood in for, in order.
    """

    decorated: Callable[[FrameType], str]
    importing: bool = True
    names: list[str] = field(default_factory=list)

    def module(self, name: str) -> ModuleType:
        """Return a module to stand in for the missing one.

        Args:
            name: Dotted name.
        """
        if name not in self.names:
            self.names.append(name)
        return _StandInModule(name, self)

    def value(self, name: str) -> "StandIn":
        """Return an object to stand in for one that its module does not have.

        Args:
            name: Dotted name.
        """
        self.names.append(name)
        return StandIn(name, self)

    def error(self, used: str) -> MissingPackageError:
        """Return the error for a use of something missing.

        Args:
            used: Its dotted name.
        """
        missing = [name for name in self.names if used == name or used.startswith((f"{name}.", f"{name}("))]
        return MissingPackageError(used, min(missing, key=len, default=used.partition(".")[0]))

    @property
    def packages(self) -> tuple[str, ...]:
        """The missing packages; a missing part of a package that is there in full."""
        parts = [name for name in self.names if not any(name.startswith(other + ".") for other in self.names)]
        return tuple(dict.fromkeys(parts))


class _StandInModule(ModuleType):
    def __init__(self, name: str, shared: StandIns) -> None:
        super().__init__(name, "Stands in for a package that is not installed.")
        self.__path__: list[str] = []
        self.__all__: list[str] = []
        self._fxanchor_shared = shared

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn(f"{self.__name__}.{name}", self._fxanchor_shared)

    def __call__(self, *_arguments: object, **_named: object) -> NoReturn:
        raise self._fxanchor_shared.error(self.__name__)


class MissingBase:
    """What a class gets as base in place of a class of a missing package; it cannot be instantiated."""

    fxanchor_error: ClassVar[MissingPackageError]

    def __new__(cls, *_arguments: object, **_named: object) -> "MissingBase":
        """Fail: the real base is not there."""
        raise cls.fxanchor_error

    def __init_subclass__(cls, **_named: object) -> None:
        """Take class keywords that the real base would take."""


def missing_base(value: object) -> MissingPackageError | None:
    """Return the error for the missing class that a class derives from, or None.

    Args:
        value: Any object.
    """
    if not is_class(value) or MissingBase not in type.__dict__["__mro__"].__get__(value):
        return None
    error = getattr(value, "fxanchor_error", None)
    return error if isinstance(error, MissingPackageError) else None


class StandIn:
    """Stands in for an attribute of a missing package.

    While the file is imported it may be named, subscripted, subclassed, used as a decorator (which then does
    nothing), and called at module level; else every use raises `MissingPackageError`.

    Args:
        name: Dotted name of what it stands in for.
        shared: What all stand-ins share.
    """

    __slots__ = ("_fxanchor_name", "_fxanchor_shared")
    _fxanchor_name: str
    _fxanchor_shared: StandIns

    def __init__(self, name: str, shared: StandIns) -> None:
        object.__setattr__(self, "_fxanchor_name", name)
        object.__setattr__(self, "_fxanchor_shared", shared)

    def __repr__(self) -> str:
        return f"<stand-in for {self._fxanchor_name}>"

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn(f"{self._fxanchor_name}.{name}", self._fxanchor_shared)

    def __setattr__(self, name: str, value: object) -> None:
        _while_importing(self)

    def __setitem__(self, key: object, value: object) -> None:
        _while_importing(self)

    def __call__(self, *arguments: object, **named: object) -> object:
        """Pass a definition through when used as a decorator; else fail, but for calls at module level."""
        frame = sys._getframe(1)
        decorated = self._fxanchor_shared.decorated(frame) if self._fxanchor_shared.importing else ""
        if decorated:
            applied = len(arguments) == 1 and not named and _is_definition(arguments[0], decorated)
            return arguments[0] if applied else self
        if self._fxanchor_shared.importing and frame.f_code.co_name == "<module>":
            return StandIn(f"{self._fxanchor_name}()", self._fxanchor_shared)
        raise self._fxanchor_shared.error(self._fxanchor_name)

    def __getitem__(self, key: object) -> "StandIn":
        return _while_importing(self)

    def __or__(self, other: object) -> "StandIn":
        return _while_importing(self)

    __ror__ = __or__

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        name = self._fxanchor_name.rpartition(".")[2].rstrip("()")
        return (type(name, (MissingBase,), {"fxanchor_error": self._fxanchor_shared.error(self._fxanchor_name)}),)

    def __instancecheck__(self, value: object) -> bool:
        # Nothing can be an instance of a class whose package is not there.
        return False

    def __subclasscheck__(self, value: object) -> bool:
        return False

    def _fxanchor_fail(self, *_arguments: object) -> NoReturn:
        raise self._fxanchor_shared.error(self._fxanchor_name)

    __bool__ = __iter__ = __len__ = __int__ = __float__ = __index__ = __enter__ = __exit__ = _fxanchor_fail
    __lt__ = __le__ = __gt__ = __ge__ = __contains__ = _fxanchor_fail
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _fxanchor_fail
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __matmul__ = __neg__ = _fxanchor_fail


def _while_importing(value: StandIn) -> StandIn:
    if not value._fxanchor_shared.importing:
        raise value._fxanchor_shared.error(value._fxanchor_name)
    return value


def _is_definition(value: object, name: str) -> bool:
    return (isinstance(value, FunctionType | staticmethod | classmethod | property) or is_class(value)) and (
        getattr(value, "__name__", name) == name
    )
