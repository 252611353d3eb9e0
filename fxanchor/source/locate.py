"""An import name -> where the package is on disk, found without importing anything of it."""

import difflib
import importlib.util
import sys
from collections.abc import Iterable
from importlib.machinery import ModuleSpec
from pathlib import Path

from fxanchor.errors import UsageError
from fxanchor.source.definition import Package
from fxanchor.source.distribution import Distribution, distribution_called, distribution_of, top_level_names
from fxanchor.source.version import written_commit, written_version


def find_package(name: str, *, source: Path | None = None) -> Package:
    """Find an importable package or module on disk, without importing it.

    The name of a distribution is taken too where it differs from the import name (`scikit-learn` is `sklearn`).

    The commit is known when the package says it: as 40 hexadecimal digits in its version module, or in the record
    of a package installed from a repository (PEP 610). Nothing else is taken for it, a version tag neither, because
    a tag's name cannot be known from the version.

    Args:
        name: Import name such as `torch.fx`, or name of an installed distribution.
        source: A directory, a wheel or an sdist to look into in place of what is installed.

    Returns:
        The package; its `root` is the directory that holds the top-level package.

    Raises:
        UsageError: When no such package is there; says how to install it, and near names.
        InputError: When `source` cannot be read.
    """
    parts = name.split(".")
    if not all(part.replace("-", "_").isidentifier() for part in parts):
        raise UsageError(f"{name!r} is not a package name. Give an import name such as torch.fx.")
    roots = None
    if source:
        from fxanchor.source.archive import opened

        roots = opened(source)
    top = _top(parts[0], roots)
    if top is None and len(parts) == 1 and (held := _import_names(name, roots)):
        if len(held) > 1:
            raise UsageError(f"The distribution {name!r} holds several packages: {', '.join(held)}. Name one of them.")
        parts = held
        top = _top(held[0], roots)
    if top is None:
        raise UsageError(_absent(parts[0], source, roots))
    folder = top
    for depth, part in enumerate(parts[1:], 2):
        below = _child(folder, part) if folder.is_dir() else None
        if below is None:
            raise UsageError(_no_module(".".join(parts[:depth]), folder))
        folder = below
    return _described(".".join(parts), top, folder, roots)


def _described(name: str, top: Path, folder: Path, roots: list[Path] | None) -> Package:
    distribution = distribution_of(top, roots or _search_path()) or Distribution()
    return Package(
        name=name,
        version=distribution.version or written_version(top),
        git_version=distribution.commit or written_commit(top),
        root=top.parent,
        folder=folder,
        repository=distribution.repository,
    )


def _search_path() -> list[Path]:
    return [Path(entry or ".") for entry in sys.path]


def _top(name: str, roots: list[Path] | None) -> Path | None:
    """Return the directory or file of a top-level package."""
    if roots is not None:
        for root in roots:
            if root.name == name and (root / "__init__.py").is_file():
                return root
            if found := _child(root, name):
                return found
        return None
    spec = _spec(name)
    if spec is None:
        return None
    origin = _origin(spec)
    if origin.endswith("__init__.py"):
        return Path(origin).parent.absolute()
    if origin.endswith(".py"):
        return Path(origin).absolute()
    if spec.submodule_search_locations:
        return next((Path(place).absolute() for place in spec.submodule_search_locations if Path(place).is_dir()), None)
    if origin and (stub := _stub(Path(origin).parent, name)):
        return stub
    return None


def _origin(spec: ModuleSpec) -> str:
    """Return the file of a module, also of one that Python itself carries and keeps the source of, as `os`."""
    carried = getattr(spec.loader_state, "filename", None)
    return str(carried or spec.origin or "")


def _spec(name: str) -> ModuleSpec | None:
    try:
        # For a top-level name this asks the finders only; for a sub-package it would import the parent.
        return importlib.util.find_spec(name)
    except (ImportError, ValueError, AttributeError):
        return None


def _is_importable(name: str) -> bool:
    return _spec(name) is not None


def _child(folder: Path, name: str) -> Path | None:
    """Return the sub-package or module of a package directory; a directory without `__init__` is a namespace."""
    inside = folder / name
    if (inside / "__init__.py").is_file():
        return inside
    if (module := folder / f"{name}.py").is_file():
        return module
    if inside.is_dir() and _holds_python(inside):
        return inside
    return _stub(folder, name)


def _stub(folder: Path, name: str) -> Path | None:
    stub = folder / f"{name}.pyi"
    return stub if stub.is_file() else None


def _holds_python(folder: Path) -> bool:
    return next((path for pattern in ("*.py", "*.pyi", "*/*.py") for path in folder.glob(pattern)), None) is not None


def _import_names(distribution: str, roots: list[Path] | None) -> list[str]:
    """Return the top-level import names that a distribution of this name brings; none when there is no such one."""
    found = distribution_called(distribution, roots or _search_path())
    return top_level_names(found) if found else []


def _absent(top: str, source: Path | None, roots: list[Path] | None) -> str:
    near = _near(top, _top_names(roots or _search_path()))
    if source:
        return f"{source} holds no package {top!r}.{near or ' Give --package the import name that it holds.'}"
    if _is_importable(top):
        return f"{top!r} is compiled or built into Python and has no source to read. Name a package written in Python."
    said = f"No package {top!r} is installed.{near} Install it with: pip install {top}"
    return f"{said} (unless its distribution has another name)."


def _no_module(name: str, parent: Path) -> str:
    names = [path.stem for path in sorted(parent.glob("*")) if path.is_dir() or path.suffix in (".py", ".pyi")]
    package, _, last = name.rpartition(".")
    return f"{package} has no module {last!r}.{_near(last, names) or ' Check its spelling.'}"


def _near(name: str, names: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, sorted(set(names)), n=3, cutoff=0.7)
    return f" Did you mean {' or '.join(close)}?" if close else ""


def _top_names(roots: list[Path]) -> list[str]:
    names: list[str] = []
    for root in roots:
        if root.is_dir():
            names += [path.stem for path in root.iterdir() if path.stem.isidentifier() and path.suffix in ("", ".py")]
    return names
