"""Definition -> an address on GitHub that will always show the same lines."""

import base64
import hashlib
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from fxanchor.source.definition import Definition, Package


@dataclass(frozen=True, slots=True)
class _Layout:
    url: str
    generated: tuple[str, ...]


def permalink(package: Package, definition: Definition) -> str:
    """Return the address of a definition at the commit that the package was built from, or "".

    There is none when the commit is not known, when it is not known how the package's files lie in the repository
    (`repositories.toml` lists where it is), when the package names another repository, when a build made the file, or
    when the file has been changed since it was installed.

    Args:
        package: The package, with its commit and repository.
        definition: A definition of it.
    """
    layout = _layouts().get(package.name.partition(".")[0])
    if layout is None or not package.git_version or package.repository not in ("", layout.url):
        return ""
    if any(fnmatchcase(definition.file, pattern) for pattern in layout.generated):
        return ""
    if not _is_as_installed(package.root, package.name.partition(".")[0], definition.file):
        return ""
    return f"{layout.url}/blob/{package.git_version}/{definition.file}#L{definition.line}-L{definition.end_line}"


@cache
def _is_as_installed(root: Path, top: str, file: str) -> bool:
    """Tell whether a file has the digest that its distribution recorded (PEP 376); what has no record passes."""
    record, key = _record(root, top), f"\n{file},sha256=".encode()
    at = record.find(key)
    if at < 0:
        return True
    try:
        digest = hashlib.sha256((root / file).read_bytes()).digest()
    except OSError:
        return False
    return record.startswith(base64.urlsafe_b64encode(digest).rstrip(b"="), at + len(key))


@cache
def _record(root: Path, top: str) -> bytes:
    """Return what the distribution of a top-level package recorded of its files, or nothing."""
    try:
        return b"\n" + b"\n".join(path.read_bytes() for path in sorted(root.glob(f"{top}-*.dist-info/RECORD")))
    except OSError:
        return b""


@cache
def _layouts() -> dict[str, _Layout]:
    """Return the known layouts by top-level package."""
    text = Path(__file__).with_name("repositories.toml").read_text(encoding="utf-8")
    return {
        package: _Layout(row["url"], tuple(row["generated"]))
        for row in tomllib.loads(text)["repository"]
        for package in row["packages"]
    }
