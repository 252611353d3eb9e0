"""The child's entry for the reader's pictures: draw the pages of a PDF and find where its boxes lie on them."""

import base64
import io
import time
from collections.abc import Mapping, Sequence
from ctypes import byref, c_int
from typing import TYPE_CHECKING, Any, Final

from fxanchor.model.sandbox import Child

if TYPE_CHECKING:
    from PIL.Image import Image
    from pypdfium2 import PdfDocument, PdfPage

# Two pixels a point are sharp on most screens; a poster is drawn coarser, so that no page is larger than the others.
_SCALE: Final = 2.0
_MOST_WIDTH: Final = 1_400
_MOST_HEIGHT: Final = 2_000
# A page of print takes 200 kB without loss; scans and photographs take more and lose nothing visible.
_MOST_BYTES: Final = 600_000
# Long papers are drawn coarser, so that the file can still be sent.
_FULL_SCALE_PAGES: Final = 40
_LEAST_SCALE: Final = 1.0
# How fine places are told: a thousandth of a percent of the page.
_GRID: Final = 100_000


def run(request: Mapping[str, Any], child: Child) -> dict[str, Any]:
    """Draw a paper.

    Args:
        request: `file`; `password`, or None; `boxes`, by page the boxes in PDF points; `seconds` for all pages.
        child: Told the phases.

    Returns:
        `pages`: of each the `width` and `height` in pixels, the picture as a data URI in `uri`, "" when the page
        could not be drawn, and the `places` of its boxes: left, top, width, height in percent of the picture.
    """
    import pypdfium2

    until = time.monotonic() + request["seconds"]
    document = pypdfium2.PdfDocument(request["file"], password=request["password"])
    scale = max(_LEAST_SCALE, _SCALE * min(1.0, _FULL_SCALE_PAGES / max(1, len(document))))
    pages = []
    for number in range(1, len(document) + 1):
        child.phase(f"drawing page {number} of {len(document)}")
        boxes = request["boxes"].get(str(number), [])
        pages.append(_page(document, number, boxes, scale if time.monotonic() < until else 0.0))
    return {"pages": pages}


def _page(document: "PdfDocument", number: int, boxes: Sequence[Sequence[float]], scale: float) -> dict[str, Any]:
    """Return one page; with a scale of 0 it is only measured."""
    import pypdfium2

    width, height, places, uri = 612.0, 792.0, [[0.0, 0.0, 0.0, 0.0] for _ in boxes], ""
    try:
        page = document[number - 1]
        width, height = page.get_size()
        places = [_place(page, box) for box in boxes]
        fitting = min(scale, _MOST_WIDTH / width, _MOST_HEIGHT / height)
        if fitting > 0:
            uri = _data_uri(page.render(scale=fitting, draw_annots=False).to_pil().convert("RGB"))
    except (pypdfium2.PdfiumError, ValueError, ZeroDivisionError):
        # A damaged page keeps its place among the others.
        fitting = 0.0
    shown = fitting or _LEAST_SCALE
    return {
        "width": max(1, round(width * shown)),
        "height": max(1, round(height * shown)),
        "uri": uri,
        "places": places,
    }


def _place(page: "PdfPage", box: Sequence[float]) -> list[float]:
    """Return a box in percent of the picture, from the top left; the page may be turned and cropped."""
    (x0, y0), (x1, y1) = (_on_grid(page, x, y) for x, y in ((box[0], box[1]), (box[2], box[3])))
    left, top, right, bottom = min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)
    return [round(value * 100 / _GRID, 3) for value in (left, top, right - left, bottom - top)]


def _on_grid(page: "PdfPage", x: float, y: float) -> tuple[int, int]:
    import pypdfium2.raw as pdfium

    across, down = c_int(), c_int()
    pdfium.FPDF_PageToDevice(page.raw, 0, 0, _GRID, _GRID, 0, x, y, byref(across), byref(down))
    return across.value, down.value


def _data_uri(picture: "Image") -> str:
    data = _encoded(picture, lossless=True, quality=60)
    if len(data) > _MOST_BYTES:
        data = _encoded(picture, lossless=False, quality=78)
    return f"data:image/webp;base64,{base64.b64encode(data).decode('ascii')}"


def _encoded(picture: "Image", *, lossless: bool, quality: int) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, "WEBP", lossless=lossless, quality=quality, method=4)
    return stream.getvalue()
