"""Make a sheet again, of what its front matter says that it was made of, in the place where it is."""

from dataclasses import replace
from pathlib import Path

from fxanchor.errors import InputError
from fxanchor.progress import Progress, silent
from fxanchor.sheet.study.folder import read_pages, write_pages
from fxanchor.sheet.study.front import request_of
from fxanchor.sheet.study.make import make_sheet, previous_sheet, split_sheet
from fxanchor.sheet.study.options import SheetRequest
from fxanchor.sheet.study.pages import INDEX


def read_request(file: Path) -> SheetRequest:
    """Return what a sheet was made of; its paths count from the working directory.

    Making it again runs the models that the file names: be sure where it comes from.

    Args:
        file: A sheet, or the folder or the index page of a split one.

    Raises:
        InputError: When the file cannot be read, is no sheet, or does not say what it was made of.
    """
    page = file / INDEX if file.is_dir() else file
    try:
        text = page.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise InputError(f"Cannot read {page}. Name a study sheet that fxanchor wrote.") from None
    return request_of(text)


def make_again(
    file: Path,
    *,
    password: str | None = None,
    seconds: float = 300.0,
    network: bool = False,
    progress: Progress = silent,
) -> Path:
    """Make a sheet again of what it was made of, in its place; the reader's notes and ticks are kept.

    Args:
        file: As for `read_request`.
        password: Password of an encrypted PDF.
        seconds: Wall-clock limit of the run of one model.
        network: Whether the models may open connections.
        progress: Told how far the work is.

    Returns:
        The file or folder that was written.

    Raises:
        InputError: As `read_request` and `make_sheet`; what was there is then as it was.
        UsageError: As `make_sheet`.
    """
    request = replace(read_request(file), password=password, seconds=seconds, network=network)
    if folder := _folder_of(file):
        split_sheet(request, folder, progress=progress)
        return folder
    old = previous_sheet(file)
    text = make_sheet(request, previous=old, progress=progress)
    write_pages(file.parent, {file.name: text}, {file.name: old})
    return file


def _folder_of(file: Path) -> Path | None:
    """Return the folder of a split sheet, None for a sheet on one page."""
    if file.is_dir():
        return file
    return file.parent if file.name == INDEX and len(read_pages(file.parent)) > 1 else None
