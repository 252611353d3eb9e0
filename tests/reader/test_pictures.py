"""Pages become pictures that are sharp and small, and boxes lie on them where the print is."""

import base64
import io
from pathlib import Path

import pytest
from helpers.pdf_files import Page, write_pdf
from helpers.project import PRIMER

from fxanchor.errors import InputError, UsageError
from fxanchor.paper.document import Box
from fxanchor.sheet.reader.pictures import Area, Picture, draw_pages

BLACK = Box(100, 600, 300, 650)
WAYS = (
    "",
    "/Rotate 90",
    "/Rotate 180",
    "/Rotate 270",
    "/CropBox [50 500 400 700]",
    "/CropBox [50 500 400 700] /Rotate 90",
    "/UserUnit 2",
)


@pytest.fixture(scope="module")
def turned(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Picture]:
    """Draw a page with one black rectangle in every way that a page can be turned and cropped."""
    from pypdf import PdfWriter

    folder = tmp_path_factory.mktemp("turned")
    page = write_pdf(folder / "page.pdf", [Page(["100 600 200 50 re f"])], compress=False).read_bytes()
    together = PdfWriter()
    for number, entries in enumerate(WAYS):
        one = folder / f"{number}.pdf"
        one.write_bytes(page.replace(b"/MediaBox [0 0 612 792]", f"/MediaBox [0 0 612 792] {entries}".encode()))
        together.append(one)
    together.write(folder / "all.pdf")
    pictures = draw_pages(folder / "all.pdf", {number: [BLACK] for number in range(1, len(WAYS) + 1)})
    return dict(zip(WAYS, pictures, strict=True))


def darkness(picture: Picture, area: Area) -> tuple[float, float]:
    """Return the share of black inside an area, and in the whole picture beside it."""
    from PIL import Image

    data = base64.b64decode(picture.uri.partition(",")[2])
    image = Image.open(io.BytesIO(data)).convert("L").point(lambda value: 255 if value < 128 else 0)
    assert image.size == (picture.width, picture.height)
    x0, y0 = area.left * image.width / 100, area.top * image.height / 100
    corners = (x0, y0, x0 + area.width * image.width / 100, y0 + area.height * image.height / 100)
    inside = image.crop(tuple(round(value) for value in corners))  # type: ignore[arg-type]
    black = sum(image.histogram()[128:])
    within = sum(inside.histogram()[128:])
    return within / (inside.width * inside.height), (black - within) / black


@pytest.mark.parametrize("way", WAYS)
def test_a_box_lies_on_what_it_is_about(turned: dict[str, Picture], way: str) -> None:
    (area,) = turned[way].places
    inside, outside = darkness(turned[way], area)
    assert inside > 0.98
    assert outside < 0.02


def test_a_poster_is_no_larger_than_a_page(tmp_path: Path) -> None:
    file = write_pdf(tmp_path / "poster.pdf", [Page()], compress=False)
    file.write_bytes(file.read_bytes().replace(b"/MediaBox [0 0 612 792]", b"/MediaBox [0 0 9000 9000]"))
    (picture,) = draw_pages(file, {})
    assert max(picture.width, picture.height) <= 2000


def test_annotations_of_an_earlier_reader_are_left_out(tmp_path: Path) -> None:
    from pypdf import PdfWriter
    from pypdf.annotations import Rectangle

    plain = write_pdf(tmp_path / "plain.pdf", [Page()])
    writer = PdfWriter(clone_from=plain)
    writer.add_annotation(0, Rectangle(rect=(100, 600, 300, 650), interior_color="000000"))
    writer.write(tmp_path / "annotated.pdf")
    assert draw_pages(tmp_path / "annotated.pdf", {})[0].uri == draw_pages(plain, {})[0].uri


def test_a_page_of_print_is_sharp_and_small() -> None:
    for picture in draw_pages(PRIMER, {}):
        assert picture.width >= 1200
        assert len(picture.uri) < 500_000


def test_a_photograph_is_kept_small(tmp_path: Path) -> None:
    import numpy
    from PIL import Image

    noise = numpy.random.default_rng(0).integers(0, 255, (1600, 1200, 3), dtype=numpy.uint8)
    Image.fromarray(noise).save(tmp_path / "photo.pdf", resolution=144)
    (picture,) = draw_pages(tmp_path / "photo.pdf", {})
    assert len(picture.uri) < 3_000_000


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fxanchor.sheet.reader.pictures.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'fxanchor\[reader\]'\.$"):
        draw_pages(PRIMER, {})


@pytest.mark.parametrize("content", [b"%PDF-1.5\nnothing at all", b""])
def test_a_file_that_cannot_be_drawn_is_told_in_a_sentence(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "damaged.pdf"
    file.write_bytes(content)
    with pytest.raises(InputError, match=r"^The pages of damaged\.pdf cannot be drawn: .+\.$"):
        draw_pages(file, {})


def test_a_password_opens_a_locked_paper(tmp_path: Path) -> None:
    from pypdf import PdfWriter

    writer = PdfWriter(clone_from=PRIMER)
    writer.encrypt("secret", algorithm="AES-128")
    writer.write(tmp_path / "locked.pdf")
    with pytest.raises(InputError):
        draw_pages(tmp_path / "locked.pdf", {})
    assert len(draw_pages(tmp_path / "locked.pdf", {}, password="secret")) == 4
