"""Read and write the folder of a split sheet: all pages change or none does, and nothing but our pages is touched."""

import contextlib
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from fxanchor.errors import InputError
from fxanchor.sheet.study.front import is_sheet


def read_pages(folder: Path) -> dict[str, str]:
    """Return the pages of a split sheet that a folder holds, by path in it; other files are left out.

    Raises:
        InputError: When the folder is something else, or a page cannot be read.
    """
    if not folder.exists():
        return {}
    if not folder.is_dir():
        raise InputError(f"{folder} is a file. Name a folder with --split.")
    pages: dict[str, str] = {}
    for file in sorted(path for path in folder.rglob("*.md") if path.is_file()):
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        except OSError as error:
            raise InputError(f"Cannot read {file}: {error.strerror}. Name another folder with --split.") from None
        if is_sheet(text):
            pages[file.relative_to(folder).as_posix()] = text
    return pages


def write_pages(folder: Path, pages: Mapping[str, str], previous: Mapping[str, str]) -> None:
    """Write pages into a folder, and remove those pages of before that are no longer made.

    Args:
        folder: The folder; made when it is not there.
        pages: Text by path in the folder.
        previous: The pages that the folder holds, from `read_pages`.

    Raises:
        InputError: When a page cannot be written, or one would take the place of a file that is not ours; the folder
            is then as it was.
    """
    foreign = [path for path in sorted(pages) if path not in previous and (folder / path).exists()]
    if foreign:
        raise InputError(
            f"{folder / foreign[0]} exists and is not a page of a study sheet. Move it, or name another folder."
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fxanchor-", dir=folder) as staging:
            new, old = Path(staging) / "new", Path(staging) / "old"
            for path, text in pages.items():
                _put(new / path, text)
            _swap(folder, new, old, pages, previous)
    except OSError as error:
        raise InputError(f"Cannot write into {folder}: {error.strerror}. Name another folder with --split.") from None
    for path in previous:
        # An emptied folder of ours is of no use; one with other files in it stays.
        with contextlib.suppress(OSError):
            if (folder / path).parent != folder:
                (folder / path).parent.rmdir()


def _swap(folder: Path, new: Path, old: Path, pages: Mapping[str, str], previous: Mapping[str, str]) -> None:
    """Put the old pages aside and the new ones in their place; on an error, put everything back."""
    aside: list[str] = []
    placed: list[str] = []
    try:
        for path in previous:
            _move(folder / path, old / path)
            aside.append(path)
        for path in pages:
            _move(new / path, folder / path)
            placed.append(path)
    except OSError:
        for path in placed:
            (folder / path).unlink(missing_ok=True)
        for path in aside:
            _move(old / path, folder / path)
        raise


def _move(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(source, target)


def _put(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8", newline="\n")
