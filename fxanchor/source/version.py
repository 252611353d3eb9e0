"""A package's own version module, read with ast: its version and the commit it was built from."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

MAX_BYTES = 1_000_000
_COMMIT = re.compile(r"[0-9a-f]{40}")
_COMMIT_NAME = re.compile(r"git|commit|revision")
_FILES = ("version.py", "_version.py", "__init__.py")


def written_version(top: Path) -> str:
    """Return `__version__` as the package writes it, or "" when it does not write it as a literal.

    Args:
        top: Directory or file of the top-level package.
    """
    for name, value in _strings(top):
        if name in ("__version__", "version"):
            return value
    return ""


def written_commit(top: Path) -> str:
    """Return the full commit that the package says it was built from, or "".

    Only 40 hexadecimal digits under a name that speaks of git, a commit or a revision are taken.

    Args:
        top: Directory or file of the top-level package.
    """
    for name, value in _strings(top):
        if _COMMIT_NAME.search(name.lower()) and _COMMIT.fullmatch(value):
            return value
    return ""


def _strings(top: Path) -> Iterator[tuple[str, str]]:
    """Yield the module-level names that are set to a string, in the version modules of a package."""
    for path in [top / name for name in _FILES] if top.is_dir() else [top]:
        try:
            if path.stat().st_size > MAX_BYTES:
                continue
            tree = ast.parse(path.read_bytes())
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for statement in tree.body:
            match statement:
                case ast.Assign(targets=targets, value=ast.Constant(value=str(value))):
                    yield from ((target.id, value) for target in targets if isinstance(target, ast.Name))
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=str(value))):
                    yield name, value
