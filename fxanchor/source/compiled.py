"""What is not Python: compiled modules and classes, and the last Python line before they run."""

import ast
from functools import lru_cache
from pathlib import Path

from fxanchor.source.definition import Definition
from fxanchor.source.index import Index
from fxanchor.source.text import dotted_name

_EXTENSIONS = (".so", ".pyd", ".dylib")


def is_compiled(index: Index, dotted: str) -> bool:
    """Return whether an absolute name lies in a module that is compiled.

    Args:
        index: The index.
        dotted: Absolute name of a module or of something in it.
    """
    if (known := index.get(dotted)) and known.kind != "module":
        return known.file.endswith(".pyi")
    parts = dotted.split(".")
    for root in dict.fromkeys(package.root for package in index.packages):
        folder = root
        for part in parts:
            if (folder / f"{part}.py").is_file():
                break
            if (folder / part / "__init__.py").is_file():
                folder = folder / part
                continue
            return _extension(folder, part)
    return False


def compiled_base(index: Index, owner: Definition) -> str:
    """Return the absolute name of the first compiled base class that a class names itself, or ""."""
    scope = owner.name.rpartition(".")[0]
    spelled = (index.spelled(scope, text.partition("[")[0]) for text in owner.bases)
    return next((name for name in spelled if is_compiled(index, name)), "")


def last_python_line(index: Index, subclass: Definition, method: str) -> str:
    """Return `file:line` of the first call of a compiled method in a Python subclass, or "".

    Args:
        index: The index.
        subclass: The Python class whose base is compiled.
        method: Simple name of the method; it is called through `super()` or `self`.
    """
    called = f".{method}"
    if called not in index.source(subclass):
        return ""
    # Only the methods that spell the name are parsed: a class may have thousands of lines.
    for member in index.defined_by(subclass):
        if called in (source := index.source(member)) and (line := _call_line(source, method)):
            return f"{member.file}:{member.line + line - 1}"
    return ""


@lru_cache(maxsize=256)
def _call_line(source: str, method: str) -> int:
    try:
        tree = ast.parse(f"if 1:\n{source}" if source[:1].isspace() else source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return 0
    shift = 1 if source[:1].isspace() else 0
    lines = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Call) and _calls(node, method)]
    return min(lines, default=shift) - shift


def _calls(node: ast.Call, method: str) -> bool:
    match node.func:
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=attr):
            return attr == method
        case ast.Attribute(attr=attr) if attr == method and method != "__init__":
            return dotted_name(node.func) == f"self.{method}"
    return False


def _extension(folder: Path, name: str) -> bool:
    stubs = (folder / f"{name}.pyi", folder / name / "__init__.pyi")
    built = (path for suffix in _EXTENSIONS for path in folder.glob(f"{name}.*{suffix}"))
    return any(stub.is_file() for stub in stubs) or next(built, None) is not None
