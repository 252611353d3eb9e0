"""Whose file a frame runs in (the user's, a library's, or machinery), and how that file is shown."""

import linecache
import os
import site
import sys
import sysconfig
from collections.abc import Iterable
from enum import IntEnum
from pathlib import Path
from types import CodeType

from fxanchor.model.belonging import Belonging


class Owner(IntEnum):
    """Whose a file is. Machinery is torch, the standard library, generated code and this program."""

    MACHINERY = 0
    LIBRARY = 1
    USER = 2


class Places:
    """Tells whose a file is.

    The user's files are the model's own file and whatever lies outside every place that packages are
    installed to; when the model itself is an installed package, that whole package is the user's.
    """

    def __init__(self, model_files: Iterable[str] = ()) -> None:
        """Take the files that belong to the model wherever they are."""
        self._sites = _site_directories()
        self._stdlib = os.path.realpath(sysconfig.get_paths()["stdlib"]) + os.sep
        self._own = os.path.realpath(Path(__file__).parents[1]) + os.sep
        self._cwd = os.path.realpath(Path.cwd())
        model_files = [os.path.realpath(name) for name in model_files]
        self._files = frozenset(model_files)
        self._packages = {self._package(name) for name in model_files} - {""}
        self._belonging = Belonging()
        self._owners: dict[str, Owner] = {}
        self._shown: dict[str, str] = {}

    def owner(self, filename: str) -> Owner:
        """Whose file this is, by the file name of a code object."""
        found = self._owners.get(filename)
        if found is None:
            found = self._owners[filename] = self._find_owner(filename)
        return found

    def owner_of(self, code: CodeType) -> Owner:
        """Whose code this is; code that was not made from the file it names is nobody's that could be shown."""
        owner = self.owner(code.co_filename)
        if owner is not Owner.MACHINERY and not self._belonging.is_of_its_file(code):
            return Owner.MACHINERY
        return owner

    def shown(self, filename: str) -> str:
        """The file as shown: relative to its site directory, to the standard library, or to the working directory."""
        found = self._shown.get(filename)
        if found is None:
            found = self._shown[filename] = self._find_shown(filename)
        return found

    def _find_owner(self, filename: str) -> Owner:
        if filename.startswith("<"):
            # Cells of notebooks have such names and a source; what exec made of a string has no source to show.
            known = filename in linecache.cache and not filename.startswith("<eval_with_key>")
            return Owner.USER if known else Owner.MACHINERY
        real = os.path.realpath(filename)
        package = self._package(real)
        if real in self._files:
            return Owner.USER
        if package:
            if package in self._packages and package != "torch":
                return Owner.USER
            return Owner.MACHINERY if package in ("torch", "fxanchor") else Owner.LIBRARY
        if real.startswith((self._stdlib, self._own)):
            return Owner.MACHINERY
        return Owner.USER

    def _package(self, real: str) -> str:
        """The top-level package or module an installed file belongs to, "" for a file that is not installed."""
        for directory in self._sites:
            if real.startswith(directory):
                return real[len(directory) :].split(os.sep, maxsplit=1)[0].removesuffix(".py")
        return ""

    def _find_shown(self, filename: str) -> str:
        if filename.startswith("<"):
            return filename
        real = os.path.realpath(filename)
        for directory in (*self._sites, self._stdlib):
            if real.startswith(directory):
                return real[len(directory) :].replace(os.sep, "/")
        return os.path.relpath(real, self._cwd).replace(os.sep, "/")


def _site_directories() -> tuple[str, ...]:
    """The directories that packages are installed to, the deepest first."""
    paths = sysconfig.get_paths()
    found = {paths["purelib"], paths["platlib"], site.getusersitepackages()}
    found.update(site.getsitepackages())
    # What `pip install --target` filled is named by PYTHONPATH alone.
    found.update(path for path in sys.path if path and any(Path(path).glob("*.dist-info")))
    spec_of_torch = _torch_parent()
    if spec_of_torch:
        found.add(spec_of_torch)
    return tuple(sorted((os.path.realpath(path) + os.sep for path in found), key=len, reverse=True))


def _torch_parent() -> str:
    """The directory torch is installed in, which need not be a site directory."""
    import torch

    return str(Path(torch.__file__).parents[1])
