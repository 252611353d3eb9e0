"""A wheel or an sdist -> its Python files in the cache, unpacked so that nothing can escape or fill the disk."""

import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from fxanchor import cache
from fxanchor.errors import InputError, UsageError

MAX_MEMBERS = 200_000
MAX_FILE_BYTES = 32 * 1024 * 1024
MAX_TOTAL_BYTES = 1024 * 1024 * 1024
# What a compressed tar may expand to while it is read through, wanted members or not.
MAX_READ_BYTES = 8 * 1024 * 1024 * 1024
_SUFFIXES = (".py", ".pyi")
_METADATA = ("METADATA", "PKG-INFO", "RECORD", "top_level.txt")


def opened(source: Path) -> list[Path]:
    """Return the directories in which the packages of a source tree or archive lie, most likely first.

    A wheel or sdist is unpacked once into the cache: Python files and metadata only, no links, nothing outside.

    Args:
        source: A directory, a wheel (`.whl`), or an sdist (`.tar.gz`, `.zip`).

    Raises:
        UsageError: When it is none of these.
        InputError: When it is absent, damaged or unreasonably large.
    """
    if not source.exists():
        raise InputError(f"{source} does not exist. Give a directory, a wheel or an sdist.")
    folder = source.absolute() if source.is_dir() else _unpacked(source.absolute())
    inside = [path for path in sorted(folder.iterdir()) if path.is_dir()]
    data = [path / lib for path in inside if path.suffix == ".data" for lib in ("purelib", "platlib")]
    roots = [folder, folder / "src", folder / "lib", *data]
    # The top directory of an sdist, `name-version`, is no package itself.
    for path in inside:
        if not path.name.isidentifier():
            roots += [path, path / "src", path / "lib"]
    return [root for root in roots if root.is_dir()]


def _unpacked(archive: Path) -> Path:
    status = archive.stat()
    rules = Path(__file__).read_text(encoding="utf-8")
    name = cache.key([str(archive), str(status.st_size), str(status.st_mtime_ns), rules])
    target = cache.path("unpacked", name)
    if target.is_dir():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{name}.", dir=target.parent))
    try:
        _unpack(archive, temporary)
        try:
            temporary.rename(target)
        except OSError:
            if not target.is_dir():
                raise
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, OSError) as error:
        raise InputError(f"{archive.name} cannot be unpacked ({error}). Download it again.") from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return target


def _unpack(archive: Path, target: Path) -> None:
    members = _zip_members if zipfile.is_zipfile(archive) else _tar_members if tarfile.is_tarfile(archive) else None
    if members is None:
        raise UsageError(f"{archive.name} is no wheel and no sdist. Give a directory, a .whl, a .tar.gz or a .zip.")
    total = 0
    for name, size, stream in members(archive):
        total += size
        if total > MAX_TOTAL_BYTES:
            raise InputError(f"{archive.name} holds more than {MAX_TOTAL_BYTES >> 20} MB of Python files.")
        path = target.joinpath(*name.parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        content = stream.read(MAX_FILE_BYTES + 1)
        if len(content) <= MAX_FILE_BYTES:
            path.write_bytes(content)


def _wanted(text: str, size: int) -> PurePosixPath | None:
    """Return the path of a member that is worth unpacking and stays inside the target, else None."""
    name = PurePosixPath(text)
    if name.is_absolute() or ".." in name.parts or "\\" in text or ":" in text or size > MAX_FILE_BYTES:
        return None
    return name if name.suffix in _SUFFIXES or name.name in _METADATA else None


def _zip_members(archive: Path) -> Iterator[tuple[PurePosixPath, int, IO[bytes]]]:
    with zipfile.ZipFile(archive) as opened_zip:
        infos = opened_zip.infolist()
        if len(infos) > MAX_MEMBERS:
            raise InputError(f"{archive.name} holds more than {MAX_MEMBERS} files. Unpack the part you need.")
        for info in infos:
            is_link = (info.external_attr >> 16) & 0o170000 == 0o120000
            name = _wanted(info.filename, info.file_size)
            if name and not is_link and not info.is_dir():
                with opened_zip.open(info) as stream:
                    yield name, info.file_size, stream


def _tar_members(archive: Path) -> Iterator[tuple[PurePosixPath, int, IO[bytes]]]:
    read = 0
    with tarfile.open(archive) as opened_tar:
        for count, member in enumerate(opened_tar):
            read += member.size
            if count > MAX_MEMBERS or read > MAX_READ_BYTES:
                raise InputError(f"{archive.name} is unreasonably large. Unpack the part you need.")
            name = _wanted(member.name, member.size) if member.isreg() else None
            stream = opened_tar.extractfile(member) if name else None
            if name and stream:
                yield name, member.size, stream
