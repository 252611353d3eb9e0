"""Import a model file the way its author would, whatever the working directory is."""

import ast
import contextlib
import importlib
import importlib.util
import linecache
import os
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Self

from fxanchor.errors import InputError
from fxanchor.model.sourcefile import SourceFile

_PROJECT_MARKS = (".git", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", ".hg")
_MOST_ANCESTORS = 4
# What the model loaded before this one has put on the path.
_added: list[str] = []


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file stands among the importable modules.

    Attributes:
        name: Dotted name it is imported by.
        root: Directory that must be on the path for that.
        in_package: Whether the name has a package in front.
    """

    name: str
    root: Path
    in_package: bool


@dataclass(frozen=True, slots=True)
class UserFiles:
    """The files whose code counts as the user's.

    Attributes:
        roots: Directories and files.
        in_library: Whether the model itself is part of an installed package.
    """

    roots: tuple[Path, ...]
    in_library: bool

    @classmethod
    def around(cls, source: SourceFile, place: Place) -> Self:
        """Return the files that belong to the model of a file: its directory, or its package.

        Args:
            source: The file.
            place: Where it stands.
        """
        in_library = is_library_file(source.path)
        package = place.name.partition(".")[0]
        if not in_library:
            return cls((place.root,), False)
        # torch itself is never the user's code, but one file of it may be asked for.
        return cls((place.root / package if place.in_package and package != "torch" else source.path,), True)

    def __contains__(self, filename: str) -> bool:
        path = Path(filename)
        if not path.is_absolute() or not any(path.is_relative_to(root) for root in self.roots):
            return False
        return self.in_library or not is_library_file(path)


def find_place(source: SourceFile) -> Place:
    """Return the module name of a file and the directory it is imported from.

    The package of a file is every directory upward that has an `__init__.py`, and as many more as its relative
    imports reach for.

    Args:
        source: The file.
    """
    folder = source.path.parent
    names: list[str] = [] if source.path.name == "__init__.py" else [source.path.stem]
    levels = max((node.level for node in ast.walk(source.tree) if isinstance(node, ast.ImportFrom)), default=0)
    depth = 0
    while folder.parent != folder and ((folder / "__init__.py").is_file() or depth < levels):
        if "." in folder.name:
            break
        names.insert(0, folder.name)
        folder = folder.parent
        depth += 1
    return Place(".".join(names) or source.path.stem, folder, depth > 0)


def find_module(name: str) -> Path | None:
    """Return the file of a module without importing it or its packages, or None when there is no such Python file.

    Args:
        name: Dotted name.
    """
    parts = name.split(".")
    spec = importlib.util.find_spec(parts[0])
    for depth in range(2, len(parts) + 1):
        if spec is None or spec.submodule_search_locations is None:
            return None
        spec = PathFinder.find_spec(".".join(parts[:depth]), list(spec.submodule_search_locations))
    origin = spec.origin if spec is not None else None
    return Path(origin) if origin and origin.endswith(".py") else None


def prepare_path(source: SourceFile, place: Place) -> None:
    """Make the modules beside the file, in its package and in its project importable, and those of no file before it.

    Args:
        source: The file.
        place: Where it stands.
    """
    for folder in _added:
        with contextlib.suppress(ValueError):
            sys.path.remove(folder)
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _ProjectFinder)]
    _added[:] = [str(place.root), str(source.path.parent)]
    _added[:] = [folder for folder in dict.fromkeys(_added) if folder not in sys.path]
    sys.argv[:] = [str(source.path)]
    # In front, as Python does for a script; but a directory that is on the path already keeps its rank.
    if str(place.root) not in sys.path:
        sys.path.insert(0, str(place.root))
    beside = str(source.path.parent)
    if beside not in sys.path:
        # Files of a package that were written to be run as scripts import their neighbours by plain names.
        sys.path.append(beside)
    sys.meta_path.append(_ProjectFinder(source.path))


def import_whole(source: SourceFile, place: Place) -> ModuleType:
    """Execute the whole file as a module that is not `__main__`.

    Args:
        source: The file; `prepare_path` was called for it.
        place: Where it stands.

    Raises:
        BaseException: Whatever the file raises.
    """
    if source.path.suffix == ".ipynb":
        module = new_module(source, place)
        exec(compile(source.text, str(source.path), "exec", dont_inherit=True), module.__dict__)
        return module
    if place.in_package:
        module = importlib.import_module(place.name)
        if _is_file_of(module, source.path):
            return module
    # Another module may have the name already (`utils`, or one of the standard library).
    name = place.name if _is_free(place.name) else f"{source.path.stem}_model"
    spec = importlib.util.spec_from_file_location(name, source.path)
    if spec is None or spec.loader is None:
        raise InputError(f"{source.shown} cannot be imported as a module; name a .py file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def import_without_packages(source: SourceFile, place: Place) -> ModuleType:
    """Execute the file in its package without the `__init__.py` files above it.

    Args:
        source: The file; `prepare_path` was called for it.
        place: Where it stands.

    Raises:
        BaseException: Whatever the file raises.
    """
    names = place.name.split(".")
    for depth in range(1, len(names)):
        package = ModuleType(".".join(names[:depth]))
        package.__path__ = [str(place.root.joinpath(*names[:depth]))]
        sys.modules[package.__name__] = package
    return import_whole(source, place)


def new_module(source: SourceFile, place: Place) -> ModuleType:
    """Return an empty module for the file, registered by its name, whose source tracebacks and `inspect` can find.

    Args:
        source: The file.
        place: Where it stands.
    """
    name = place.name if place.in_package or _is_free(place.name) else f"{source.path.stem}_model"
    module = ModuleType(name)
    module.__file__ = str(source.path)
    module.__package__ = name.rpartition(".")[0]
    sys.modules[name] = module
    lines = [line + "\n" for line in source.text.split("\n")]
    linecache.cache[str(source.path)] = (len(source.text), None, lines, str(source.path))
    return module


def file_of(module: object) -> str:
    """Return the file that a module says it comes from, or "".

    Args:
        module: Any object of `sys.modules`.
    """
    try:
        file = getattr(module, "__file__", None)
    except Exception:
        return ""
    return file if isinstance(file, str) else ""


def library_roots() -> tuple[Path, ...]:
    """Return the directories of the standard library and of installed packages."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    return tuple(dict.fromkeys(Path(sysconfig.get_path(name)).resolve() for name in names))


def is_library_file(path: Path) -> bool:
    """Return whether a file belongs to the standard library or to an installed package.

    Args:
        path: Absolute path.
    """
    if {"site-packages", "dist-packages"} & set(path.parts):
        return True
    return any(path.is_relative_to(root) for root in library_roots())


def _is_free(name: str) -> bool:
    return name not in sys.modules and name not in sys.stdlib_module_names and "." not in name


def _is_file_of(module: ModuleType, path: Path) -> bool:
    file = file_of(module)
    return bool(file) and os.path.realpath(file) == str(path)


class _ProjectFinder(MetaPathFinder):
    """Finds what nothing else finds in the directories above the file, up to the root of its project."""

    def __init__(self, path: Path) -> None:
        self._folders = tuple(_project_folders(path))

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        if path is not None:
            return None
        for folder in self._folders:
            candidate = folder / name
            if candidate.with_suffix(".py").is_file() or any(candidate.glob("*.py")):
                sys.path.append(str(folder))
                _added.append(str(folder))
                return importlib.util.find_spec(name)
        return None


def _project_folders(path: Path) -> Iterator[Path]:
    folder = path.parent
    for _ in range(_MOST_ANCESTORS):
        if folder.parent == folder or folder == Path.home():
            return
        yield folder
        yield folder / "src"
        if any((folder / mark).exists() for mark in _PROJECT_MARKS):
            return
        folder = folder.parent
