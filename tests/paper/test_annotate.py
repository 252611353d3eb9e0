"""Annotated copies: highlights with notes and links where the words stand, drawn as another reader draws them."""

from pathlib import Path

import pypdf
import pypdfium2
import pytest
from helpers.pdf_files import Page, write_pdf
from pypdf.generic import ArrayObject

from fxanchor.errors import InputError
from fxanchor.paper.annotate import Note, annotate
from fxanchor.paper.document import Box, Place
from fxanchor.paper.read import read_paper


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    first, second = Page(), Page()
    first.text(72, 700, 10, "The tracer makes a <c:9>GraphModule</c> of it.")
    second.text(72, 300, 10, "And <c:9>Proxy</c> is another one.")
    return write_pdf(tmp_path / "paper.pdf", [first, second])


def notes(pdf: Path, *words: str) -> list[Note]:
    found = []
    for passage in read_paper(pdf).passages:
        for word in words:
            if (at := passage.text.find(word)) >= 0:
                places = tuple(passage.places(at, at + len(word)))
                found.append(Note(places, "ffe066", f"{word}: a note", f"https://example.org/{word}"))
    return found


def drawn(path: Path, page: int, box: Box) -> tuple[float, float, float]:
    """Return the mean colour inside a box as pdfium draws it."""
    document = pypdfium2.PdfDocument(path)
    image = document[page - 1].render(scale=2).to_pil().convert("RGB")
    height = image.height
    area = image.crop((int(box.x0 * 2), int(height - box.y1 * 2), int(box.x1 * 2), int(height - box.y0 * 2)))
    pixels = [area.getpixel((x, y)) for x in range(area.width) for y in range(area.height)]
    document.close()
    red, green, blue = (sum(pixel[band] for pixel in pixels) / len(pixels) for band in range(3))
    return red, green, blue


def test_highlight_note_and_link(pdf: Path, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out.pdf"
    made = notes(pdf, "GraphModule", "Proxy")
    assert [note.places[0].page for note in made] == [1, 2]
    annotate(pdf, made, out)
    reader = pypdf.PdfReader(out)
    for page, note in zip(reader.pages, made, strict=True):
        annotations = page["/Annots"]
        assert isinstance(annotations, ArrayObject)
        marks = [mark.get_object() for mark in annotations]
        assert [mark["/Subtype"] for mark in marks] == ["/Highlight", "/Link"]
        assert marks[0]["/Contents"] == note.text
        assert marks[1]["/A"]["/URI"] == note.url
        assert page.extract_text() == pypdf.PdfReader(pdf).pages[note.places[0].page - 1].extract_text()


def test_it_is_drawn_where_the_word_stands(pdf: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.pdf"
    (note,) = notes(pdf, "GraphModule")
    annotate(pdf, [note], out)
    box = note.places[0].box
    before, after = drawn(pdf, 1, box), drawn(out, 1, box)
    assert before[2] - after[2] > 60, "the yellow takes the blue away"
    assert before[0] - after[0] < 20
    beside = Box(box.x0 - 60, box.y0, box.x0 - 5, box.y1)
    assert drawn(pdf, 1, beside) == drawn(out, 1, beside)


def test_a_name_over_two_lines_and_two_pages(tmp_path: Path) -> None:
    first, second = Page(), Page()
    first.text(72, 712, 10, "This line shows how wide the text of the page is set, and no more, and the next one")
    first.text(
        72, 700, 10, "says that whoever wants a graph of a model has to call the function <c:9>torch.fx.symbolic_</c>"
    )
    first.text(72, 688, 10, "<c:9>trace</c> once with the model, and that what comes of it is called <c:9>Graph</c>")
    second.text(72, 700, 10, "<c:9>Module</c> in the text that follows here, at the head of another page of the paper.")
    pdf, out = write_pdf(tmp_path / "paper.pdf", [first, second]), tmp_path / "out.pdf"
    (over_lines,) = notes(pdf, "torch.fx.symbolic_trace")
    assert [place[:2] for place in over_lines.places] == [(1, 2), (1, 3)]
    (over_pages,) = notes(pdf, "Graph Module")
    assert [place.page for place in over_pages.places] == [1, 2]
    annotate(pdf, [over_lines, over_pages], out)
    kinds = []
    for page in pypdf.PdfReader(out).pages:
        annotations = page["/Annots"]
        assert isinstance(annotations, ArrayObject)
        marks = [mark.get_object() for mark in annotations]
        kinds.append([(mark["/Subtype"], len(mark.get("/QuadPoints", [])) // 8) for mark in marks])
    link, quad, quads = ("/Link", 0), ("/Highlight", 1), ("/Highlight", 2)
    assert kinds == [[quads, link, link, quad, link], [quad, link]]
    for place in (*over_lines.places, *over_pages.places):
        assert drawn(pdf, place.page, place.box)[2] - drawn(out, place.page, place.box)[2] > 60
    between = Box(72, 700, 300, 708)
    assert drawn(pdf, 1, between) == drawn(out, 1, between)


def test_notes_off_the_paper_are_left_out(pdf: Path, tmp_path: Path) -> None:
    annotate(pdf, [Note((Place(9, 1, Box(0, 0, 5, 5)),), "ffe066", "nowhere")], tmp_path / "out.pdf")
    assert "/Annots" not in pypdf.PdfReader(tmp_path / "out.pdf").pages[0]


def test_a_locked_paper(pdf: Path, tmp_path: Path) -> None:
    writer = pypdf.PdfWriter(clone_from=pdf)
    writer.encrypt("secret", algorithm="RC4-128")
    with (tmp_path / "locked.pdf").open("wb") as stream:
        writer.write(stream)
    with pytest.raises(InputError, match="is locked"):
        annotate(tmp_path / "locked.pdf", [], tmp_path / "out.pdf")
    assert not (tmp_path / "out.pdf").exists()
    annotate(tmp_path / "locked.pdf", notes(pdf, "Proxy"), tmp_path / "out.pdf", password="secret")
    assert len(pypdf.PdfReader(tmp_path / "out.pdf").pages) == 2


def test_what_cannot_be_written(pdf: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is the paper itself"):
        annotate(pdf, [], pdf)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        annotate(pdf, [], tmp_path / "file" / "out.pdf")
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "cache") == ["file", "paper.pdf"]
