"""The pages of a paper as pictures, drawn in a child process: a damaged PDF may crash or never end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from fxanchor.errors import InputError, UsageError
from fxanchor.model.process import run_child
from fxanchor.paper.document import Box
from fxanchor.progress import Progress, silent

_ENTRY: Final = "fxanchor.sheet.reader.drawing"
_NEEDED: Final = ("pypdfium2", "PIL")
_SECONDS: Final = 240.0
# Pages that are not drawn by then are left empty, so that what is drawn is not lost.
_DRAWING_SECONDS: Final = 180.0
_MEMORY: Final = 2 * 2**30


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle on a picture, in percent of its width and height, from the top left."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Picture:
    """A page as a picture.

    Attributes:
        number: 1-based page.
        width: In pixels.
        height: In pixels.
        uri: A data URI, or "" when the page could not be drawn.
        places: Where the boxes lie that were asked about, in their order.
    """

    number: int
    width: int
    height: int
    uri: str
    places: tuple[Area, ...]


def draw_pages(
    file: Path,
    boxes: Mapping[int, Sequence[Box]],
    *,
    password: str | None = None,
    progress: Progress = silent,
) -> tuple[Picture, ...]:
    """Draw the pages of a PDF.

    Args:
        file: The PDF.
        boxes: For each page the boxes whose place on the picture is wanted.
        password: The password that opens the PDF, or None.
        progress: Told how far the work is.

    Raises:
        UsageError: When the optional packages that draw are not installed.
        InputError: When the PDF cannot be drawn.
    """
    if any(find_spec(name) is None for name in _NEEDED):
        raise UsageError("Drawing the pages of a paper needs two more packages: pip install 'fxanchor[reader]'.")
    request = {
        "file": str(file.absolute()),
        "password": password,
        "boxes": {str(page): [list(box) for box in wanted] for page, wanted in boxes.items()},
        "seconds": _DRAWING_SECONDS,
    }
    result = run_child(_ENTRY, request, seconds=_SECONDS, memory_bytes=_MEMORY, progress=progress)
    if result.value is None:
        raise InputError(f"The pages of {file.name} cannot be drawn: write the sheet with --format markdown.")
    return tuple(
        Picture(
            number,
            page["width"],
            page["height"],
            page["uri"],
            tuple(Area(*place) for place in page["places"]),
        )
        for number, page in enumerate(result.value["pages"], 1)
    )
