"""The files that may show how a model is used: its own, and the tests, examples, scripts and README beside it."""

import ast
import contextlib
import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from fxanchor.errors import InputError
from fxanchor.model.importing import is_library_file
from fxanchor.model.sourcefile import SourceFile, parse

_FOLDERS = ("", "tests", "test", "examples", "../tests", "../test", "..")
_MOST_FILES = 60
_FENCED = re.compile(r"^```\s*(?:python|py)\s*\n(.*?)^```", re.DOTALL | re.MULTILINE | re.IGNORECASE)
_MOST_BYTES = 2**18


@dataclass(frozen=True, slots=True)
class Usage:
    """A file that may call the model.

    Attributes:
        tree: The parsed file.
        space: What its module-level names mean, as far as that is known without executing it.
        beside: How to name the file; "" for the model's own.
    """

    tree: ast.Module
    space: Mapping[str, Any]
    beside: str = ""

    def at(self, line: int) -> str:
        """Return how to name a line of the file.

        Args:
            line: 1-based.
        """
        return f"{self.beside}:{line}" if self.beside else f"line {line}"


def usages_of(source: SourceFile, module: ModuleType) -> list[Usage]:
    """Return the model's own file, then the files beside it that import from it, tests first, then the README.

    Args:
        source: The model's file.
        module: The module that it became.
    """
    own = Usage(source.tree, vars(module))
    # What stands beside an installed module is more of the library, and none of it is how its user calls it.
    return [own] if is_library_file(source.path) else [own, *_neighbours(source, module)]


def _neighbours(source: SourceFile, module: ModuleType) -> Iterator[Usage]:
    folder = source.path.parent
    seen: set[Path] = {source.path}
    for name in _FOLDERS:
        # Not `Path.resolve`, which raises for a link that leads to itself.
        files = (Path(os.path.realpath(file)) for file in (folder / name).glob("*.py"))
        new = [file for file in files if file not in seen]
        new = sorted(new, key=lambda file: ("test" not in file.name, file.name))[: max(0, _MOST_FILES - len(seen))]
        seen.update(new)
        for file in new:
            tree = _parsed(file, source.path.stem)
            if tree is not None:
                shown = file.relative_to(folder).as_posix() if file.is_relative_to(folder) else file.name
                yield Usage(tree, _space(tree, source.path.stem, module), shown)
    for name in ("README.md", "../README.md"):
        readme = folder / name
        for tree in _code_blocks(readme):
            own = [
                stem for stem in (source.path.stem, folder.name) if any(_imports(node, stem) for node in ast.walk(tree))
            ]
            if own:
                yield Usage(tree, _space(tree, own[0], module), readme.name)


def _code_blocks(readme: Path) -> Iterator[ast.Module]:
    """Yield the Python blocks of a README, with the lines they have there."""
    try:
        text = readme.read_text(encoding="utf-8") if _is_readable(readme) else ""
    except (OSError, ValueError):
        return
    for block in _FENCED.finditer(text):
        with contextlib.suppress(InputError):
            yield parse("\n" * text.count("\n", 0, block.start(1)) + block[1], readme.name)


def _parsed(file: Path, module: str) -> ast.Module | None:
    try:
        if not _is_readable(file):
            return None
        text = file.read_text(encoding="utf-8")
        # Most files beside a model have nothing to do with it, and parsing is slow.
        if not re.search(rf"^\s*(?:from|import)\s[^#\n]*\b{re.escape(module)}\b", text, re.MULTILINE):
            return None
        tree = parse(text, file.name)
    except (OSError, ValueError, InputError):
        return None
    return tree if any(_imports(node, module) for node in ast.walk(tree)) else None


def _is_readable(file: Path) -> bool:
    """Tell whether a file is one, and not too large; a pipe of that name would be waited for."""
    return file.is_file() and file.stat().st_size <= _MOST_BYTES


def _imports(node: ast.AST, module: str) -> bool:
    match node:
        case ast.ImportFrom(module=str(name)):
            return module in name.split(".") or any(alias.name == module for alias in node.names)
        case ast.ImportFrom(module=None):
            return any(alias.name == module for alias in node.names)
        case ast.Import():
            return any(module in alias.name.split(".") for alias in node.names)
    return False


def _space(tree: ast.Module, stem: str, module: ModuleType) -> dict[str, Any]:
    """Return what a file imports from the model's file, and from modules that are imported already."""
    space: dict[str, Any] = {"__name__": module.__name__}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                home = module if alias.name.split(".")[-1] == stem else sys.modules.get(alias.name)
                if home is not None and alias.asname:
                    space[alias.asname] = home
                elif home is not None:
                    first = alias.name.partition(".")[0]
                    space[first] = module if first == stem else sys.modules.get(first)
        elif isinstance(node, ast.ImportFrom):
            own = (node.module or "").split(".")[-1] == stem
            base = module if own else sys.modules.get(node.module or "")
            for alias in node.names:
                value = module if alias.name == stem else getattr(base, alias.name, None)
                if value is not None:
                    space[alias.asname or alias.name] = value
    return space
