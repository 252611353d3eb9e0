"""The files beside a model file that may show how its author uses it: tests, examples, training scripts."""

import ast
from collections.abc import Iterator
from pathlib import Path

from fxanchor.errors import InputError
from fxanchor.model.sourcefile import SourceFile, parse

_FOLDERS = ("", "tests", "test", "examples", "../tests", "../test", "..")
_MOST_FILES = 60
_MOST_BYTES = 2**18


def neighbours(source: SourceFile) -> Iterator[tuple[str, ast.Module]]:
    """Yield the parsed files beside a model file that import from it, tests first, each with its name.

    Args:
        source: The model file.
    """
    folder = source.path.parent
    seen: set[Path] = {source.path}
    for name in _FOLDERS:
        files = (file.resolve() for file in (folder / name).glob("*.py"))
        new = [file for file in files if file not in seen]
        new = sorted(new, key=lambda file: ("test" not in file.name, file.name))[: _MOST_FILES - len(seen)]
        seen.update(new)
        for file in new:
            tree = _parsed(file, source.path.stem)
            if tree is not None:
                yield (file.relative_to(folder).as_posix() if file.is_relative_to(folder) else file.name), tree


def _parsed(file: Path, module: str) -> ast.Module | None:
    try:
        if file.stat().st_size > _MOST_BYTES:
            return None
        text = file.read_text(encoding="utf-8")
        if module not in text:
            return None
        tree = parse(text, file.name)
    except (OSError, ValueError, InputError):
        return None
    return tree if any(_imports(node, module) for node in ast.walk(tree)) else None


def _imports(node: ast.AST, module: str) -> bool:
    match node:
        case ast.ImportFrom(module=str(name)):
            return module in name.split(".") or any(alias.name == module for alias in node.names)
        case ast.ImportFrom(module=None):
            return any(alias.name == module for alias in node.names)
        case ast.Import():
            return any(module in alias.name.split(".") for alias in node.names)
    return False
