"""What the tests about the project itself share: its files, and running its command line."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "fxanchor"
PRIMER = ROOT / "papers" / "primer" / "primer.pdf"
MODEL = ROOT / "papers" / "model.py"


@cache
def sources(folder: Path = PACKAGE) -> tuple[Path, ...]:
    """Return the Python files below a folder, in order."""
    return tuple(sorted(folder.rglob("*.py")))


@cache
def tree(file: Path) -> ast.Module:
    """Return the syntax tree of a Python file."""
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


def module_name(file: Path) -> str:
    """Return the dotted name that a file of the package is imported by."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(file: Path) -> Iterator[tuple[str, int, bool]]:
    """Give what a file imports: the dotted name, the line, and whether it is imported when the file is."""
    own = module_name(file).split(".")
    package = own if file.name == "__init__.py" else own[:-1]
    deferred = {id(inner) for node in ast.walk(tree(file)) if _is_deferred(node) for inner in ast.walk(node)}
    for node in ast.walk(tree(file)):
        at_import = id(node) not in deferred
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno, at_import
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            stem = [*base, *(node.module.split(".") if node.module else [])]
            for alias in node.names:
                yield ".".join([*stem, alias.name]), node.lineno, at_import


def _is_deferred(node: ast.AST) -> bool:
    if isinstance(node, ast.If):
        return "TYPE_CHECKING" in ast.unparse(node.test)
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)


def tracked() -> list[Path]:
    """Return the files under version control; empty where there is no repository, as in a source distribution."""
    if not (ROOT / ".git").exists():
        return []
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    return [ROOT / name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()]


def fxanchor(
    *arguments: str, cwd: Path = ROOT, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own, 200 columns wide and without colour."""
    return python("-m", "fxanchor", *arguments, cwd=cwd, env=env)


def python(
    *arguments: str | Path, cwd: Path = ROOT, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run this interpreter with some arguments."""
    command: Sequence[str | Path] = [sys.executable, *arguments]
    plain = {"COLUMNS": "200", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **plain, **(env or {})},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
