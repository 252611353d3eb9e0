"""One directory of derived data, keyed by what it was derived from; safe to delete at any time."""

import contextlib
import errno
import hashlib
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from fxanchor import __version__


def directory() -> Path:
    """Return the cache directory: `FXANCHOR_CACHE`, else the platform's user cache."""
    if chosen := os.environ.get("FXANCHOR_CACHE"):
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "fxanchor"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "fxanchor" / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fxanchor"


def code_stamp(package: str) -> str:
    """Return a digest of fxanchor's version and of the files of one of its own sub-packages.

    What a layer derives is stale as soon as the layer itself changes, also in an editable installation where
    the version number stays.

    Args:
        package: Name of a direct sub-package of fxanchor, such as `paper`.
    """
    folder = Path(__file__).parent / package
    parts = [__version__]
    for file in sorted(folder.rglob("*.py")):
        status = file.stat()
        parts.append(f"{file.relative_to(folder).as_posix()}:{status.st_size}:{status.st_mtime_ns}")
    return key(parts)


def key(parts: Iterable[str]) -> str:
    """Return a short digest of the parts, fit for a file name."""
    return hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()[:32]


def path(kind: str, name: str) -> Path:
    """Return where the entry `name` of a `kind` (`paper`, `index`, `download`) is kept, whether it exists or not."""
    return directory() / kind / name


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Give a temporary path beside `target` and move it there when the block ends without an error.

    Readers see the old file or the new one, never a part; two writers do not disturb each other. A link stays one, and
    the file that it points to is replaced.

    Args:
        target: The file to write. Its directory is made when absent.

    Yields:
        The path to write to.

    Raises:
        OSError: When the directory cannot be made or written, or a device or a pipe is in the place of the file.
    """
    target = Path(os.path.realpath(target))
    # A rename would put a file where a device such as /dev/null was, for every program of the machine.
    if target.exists() and not target.is_file():
        number = errno.EISDIR if target.is_dir() else errno.EINVAL
        raise OSError(number, "Is a directory" if target.is_dir() else "Is not a file", str(target))
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def _umask() -> int:
    value = os.umask(0)
    os.umask(value)
    return value
