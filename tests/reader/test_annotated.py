"""The annotated PDF in two viewers, pdfium and Chromium's own: each status in its colour where its names stand."""

import io
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
import pytest
from helpers.browser import Browser
from helpers.pdf_files import Page, write_pdf
from helpers.project import PRIMER
from PIL import Image, ImageChops, ImageDraw, ImageOps

from fxanchor.paper.document import Box
from fxanchor.sheet.highlights import highlight
from fxanchor.sheet.mapping import map_paper

WIDTH, HEIGHT = 612, 792
COLOURS = {
    "linked": (0xB7, 0xE4, 0xB0),
    "moved": (0xFF, 0xE0, 0x8A),
    "missing": (0xFF, 0xB3, 0xAB),
    "outside": (0xD6, 0xDB, 0xE3),
    "refused": (0xE4, 0xCF, 0xEE),
}
TEXT = (
    "The call to <c>symbolic_trace</c> makes a <c>GraphModule</c>, and <c>fx.graph_drawer</c> draws it, while",
    "the old <c>fx.experimental.rewriter_old</c> and <c>torch.fx.GraphModuul</c> are not there any longer.",
    "Here <c>numpy.linspace</c> is of another package, and <c>nn.Conv2d</c> too. The <c>Transformer</c> is a",
    "pass. Readers of <c>torch.jit.script</c> look at the Transformer networks of the field for a while.",
)
# A letter covers less than this share of its box.
_MOST_INK = 0.5
# How far a highlight may reach over the box of a name: its margin, and what a viewer's grid adds.
_REACH = 2.0
_PATIENCE = 20.0


@dataclass(frozen=True)
class Annotated:
    """A paper, its copy with every status, its copy as `map` makes it, and the boxes of each status."""

    plain: Path
    everything: Path
    usual: Path
    boxes: Mapping[str, list[Box]]


@pytest.fixture(scope="module")
def annotated(tmp_path_factory: pytest.TempPathFactory) -> Annotated:
    folder = tmp_path_factory.mktemp("annotated")
    page = Page()
    page.text(72, 740, 16, "Notes on capturing programs with torch.fx", "b")
    for number, line in enumerate(TEXT):
        page.text(72, 700 - 12 * number, 10, line)
    plain = write_pdf(folder / "plain.pdf", [page])
    mapped = map_paper(str(plain), keywords=["Transformer"])
    boxes: dict[str, list[Box]] = {status: [] for status in COLOURS}
    for concept in mapped.found.concepts:
        for mention in concept.mentions:
            boxes[mention.status] += [place.box for place in mention.places]
    assert all(boxes.values()), "the paper has a name of every status"
    highlight(mapped, folder / "all.pdf", everything=True)
    highlight(mapped, folder / "usual.pdf")
    return Annotated(plain, folder / "all.pdf", folder / "usual.pdf", boxes)


def drawn(path: Path, scale: float = 4.0, number: int = 1) -> Image.Image:
    """Return a page as pdfium draws it."""
    document = pypdfium2.PdfDocument(path)
    image: Image.Image = document[number - 1].render(scale=scale).to_pil().convert("RGB")
    document.close()
    return image


def pixels(box: Box, scale: float, reach: float = 0.0) -> tuple[int, int, int, int]:
    """Return a box of the page in pixels of a picture of it."""
    left, right = (box.x0 - reach) * scale, (box.x1 + reach) * scale
    top, bottom = (HEIGHT - box.y1 - reach) * scale, (HEIGHT - box.y0 + reach) * scale
    return round(left), round(top), round(right), round(bottom)


def share(image: Image.Image, area: tuple[int, int, int, int], colour: tuple[int, int, int]) -> float:
    """Return which part of an area is in a colour, or nearly."""
    values = image.crop(area).tobytes()
    channels = zip(values[0::3], values[1::3], values[2::3], strict=True)
    near = [max(abs(one - other) for one, other in zip(pixel, colour, strict=True)) <= 6 for pixel in channels]
    return sum(near) / len(near)


def faults(plain: Image.Image, marked: Image.Image, boxes: Mapping[str, list[Box]]) -> Iterator[str]:
    """Give where a picture of the copy is not the picture of the paper with the boxes in their colours."""
    scale = plain.width / WIDTH
    outside = ImageChops.difference(plain, marked)
    for status, places in boxes.items():
        for box in places:
            if share(plain, pixels(box, scale), COLOURS[status]) > 0.01:
                yield f"{status} at {box} has its colour in the paper itself"
            if share(marked, pixels(box, scale), COLOURS[status]) < 1 - _MOST_INK:
                yield f"{status} at {box} is not in its colour"
            ImageDraw.Draw(outside).rectangle(pixels(box, scale, _REACH), fill=0)
    if changed := outside.getbbox():
        yield f"something changed beside the names, in {changed}"


def test_pdfium_draws_every_status_in_its_colour(annotated: Annotated) -> None:
    assert list(faults(drawn(annotated.plain), drawn(annotated.everything), annotated.boxes)) == []


def test_refused_and_outside_names_are_not_marked_unasked(annotated: Annotated) -> None:
    shown = {status: annotated.boxes[status] for status in ("linked", "moved", "missing")}
    assert list(faults(drawn(annotated.plain), drawn(annotated.usual), shown)) == []


def test_the_letters_of_a_name_fill_its_boxes() -> None:
    mapped = map_paper(str(PRIMER))
    ink = {number: ImageOps.invert(drawn(PRIMER, 4.0, number).convert("L")) for number in range(1, 5)}
    mentions = [mention for concept in mapped.found.concepts for mention in concept.mentions]
    places = [place for mention in mentions if mention.status == "linked" for place in mention.places]
    assert len(places) > 100
    for page, line, box in places:
        left, top, right, bottom = pixels(box, ink[page].height / HEIGHT)
        letters = ink[page].crop((left, top, right, bottom)).point(lambda value: 255 * (value > 100)).getbbox()
        assert letters is not None, (page, line, box)
        assert letters[0] < 8, (page, line, box)
        assert letters[2] > right - left - 8, (page, line, box)


def viewed(chromium: Browser, file: Path) -> Image.Image:
    """Return the page as Chromium's viewer shows it, as soon as it stands still."""
    chromium.open(file, width=1100, height=1300)
    until = time.monotonic() + _PATIENCE
    before = None
    while time.monotonic() < until:
        shot = Image.open(io.BytesIO(chromium.driver.get_screenshot_as_png())).convert("RGB")
        page = page_of(shot)
        if page is not None and before is not None and ImageChops.difference(shot, before).getbbox() is None:
            return shot.crop(page)
        before = shot
        time.sleep(0.3)
    raise AssertionError("the viewer shows no page")


def page_of(shot: Image.Image) -> tuple[int, int, int, int] | None:
    """Return where the page lies in a picture of the viewer: the white of its form, below the toolbar."""
    white = shot.convert("L").point(lambda value: 255 if value == 255 else 0)
    middle = shot.width // 2
    column = [y for y in range(shot.height) if white.getpixel((middle, y))]
    if not column:
        return None
    row = [x for x in range(shot.width) if white.getpixel((x, column[-1]))]
    left, top, right, bottom = row[0], column[0], row[-1] + 1, column[-1] + 1
    is_page = abs((right - left) / (bottom - top) - WIDTH / HEIGHT) < 0.01
    return (left, top, right, bottom) if is_page else None


def test_chromium_shows_every_status_in_its_colour(chromium: Browser, annotated: Annotated) -> None:
    if not chromium.run("return navigator.pdfViewerEnabled"):
        pytest.skip("this browser has no viewer of its own")
    plain, marked = viewed(chromium, annotated.plain), viewed(chromium, annotated.everything)
    assert plain.size == marked.size
    assert list(faults(plain, marked, annotated.boxes)) == []
