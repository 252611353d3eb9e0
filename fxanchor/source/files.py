"""The Python files of a package on disk, each with the module it is and a stamp that changes when it does."""

import os
from dataclasses import dataclass
from pathlib import Path

from fxanchor.errors import InputError

# Far above any package met (torch has 2,400 files); a package beyond it is not a package but a whole disk.
MAX_FILES = 60_000
MAX_DEPTH = 40
SUFFIXES = (".py", ".pyi")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of the package.

    Attributes:
        module: Dotted name of the module that the file is.
        path: Where it is.
        file: The same relative to the site directory, with forward slashes.
        is_package: Whether it is the `__init__` of a package.
        size: Size in bytes, with that of its stub.
        mtime_ns: Time of the last change, also of its stub, in nanoseconds.
        has_stub: Whether it is a `.py` file with a `.pyi` beside it.
    """

    module: str
    path: str
    file: str
    is_package: bool
    size: int
    mtime_ns: int
    has_stub: bool = False


def list_files(root: Path, folder: Path, name: str) -> list[SourceFile]:
    """List the modules of a package, sorted by file name.

    A `.pyi` file is a module of its own only when no `.py` file of the same module is there: then the module is
    compiled and its stub is the only readable definition. Links to directories are not followed, so that no loop can
    arise.

    Args:
        root: Site directory, to which the files are relative.
        folder: Directory of the package, or the one file of a single-module package.
        name: Dotted import name of the package.

    Raises:
        InputError: When the directory cannot be listed, or holds more than `MAX_FILES` files.
    """
    try:
        if not folder.is_dir():
            status = folder.stat()
            relative = folder.relative_to(root).as_posix()
            return [SourceFile(name, str(folder), relative, False, status.st_size, status.st_mtime_ns)]
        found: dict[str, SourceFile] = {}
        _walk(str(folder), folder.relative_to(root).as_posix(), name, 0, found)
    except OSError as error:
        raise InputError(f"The source of {name} cannot be read ({error.strerror}). Check its permissions.") from error
    return sorted(found.values(), key=lambda file: file.file)


def _walk(path: str, relative: str, name: str, depth: int, found: dict[str, SourceFile]) -> None:
    if depth > MAX_DEPTH:
        return
    with os.scandir(path) as entries:
        for entry in entries:
            if entry.name.endswith(SUFFIXES):
                _add(entry, relative, name, found)
            elif entry.name.isidentifier() and entry.name != "__pycache__" and entry.is_dir(follow_symlinks=False):
                _walk(entry.path, f"{relative}/{entry.name}", f"{name}.{entry.name}", depth + 1, found)


def _add(entry: os.DirEntry[str], relative: str, name: str, found: dict[str, SourceFile]) -> None:
    stem, _, suffix = entry.name.rpartition(".")
    if not stem.isidentifier() or not entry.is_file():
        return
    is_package = stem == "__init__"
    module = name if is_package else f"{name}.{stem}"
    known = found.get(module)
    file = f"{relative}/{entry.name}"
    beside = known is not None and known.file.rpartition(".")[0] == f"{relative}/{stem}"
    if known and not beside and (known.is_package, known.file.endswith(".py")) >= (is_package, suffix == "py"):
        return
    if len(found) >= MAX_FILES:
        raise InputError(f"{name} holds more than {MAX_FILES} Python files. Name a smaller package inside it.")
    status = entry.stat()
    size, changed = status.st_size, status.st_mtime_ns
    if known and beside:
        path, file = (entry.path, file) if suffix == "py" else (known.path, known.file)
        size, changed = size + known.size, max(changed, known.mtime_ns)
        found[module] = SourceFile(module, path, file, is_package, size, changed, has_stub=True)
    else:
        found[module] = SourceFile(module, entry.path, file, is_package, size, changed)
