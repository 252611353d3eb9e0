"""Make a sheet again: read from its file what it was made of, and where it is to be written."""

from pathlib import Path

from fxanchor.errors import InputError
from fxanchor.sheet.study.folder import read_pages
from fxanchor.sheet.study.front import request_of
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


def place_of(file: Path) -> tuple[Path | None, Path | None]:
    """Return where a sheet is to be written again: its file, or the folder of a split one.

    Args:
        file: As for `read_request`.
    """
    if file.is_dir():
        return None, file
    if file.name == INDEX and len(read_pages(file.parent)) > 1:
        return None, file.parent
    return file, None
