"""Files that are damaged, locked, empty or no PDFs: one plain sentence, or a paper with a warning."""

import importlib.metadata
import io
import logging
import time
from pathlib import Path

import pypdf
import pytest
from helpers.cases import CASES
from helpers.pdf_files import Page, page_case, write_pdf

from fxanchor.errors import InputError
from fxanchor.paper import file, parse
from fxanchor.paper.pdf import walk
from fxanchor.paper.read import read_paper

WORDS = ("First", "Second one", "Third of them", "Fourth and last")
SENTENCE = r"^[^\n]+: [^\n]+\.$"


def small(path: Path, pages: int = 2) -> Path:
    made = []
    for number in range(1, pages + 1):
        page = Page()
        page.text(72, 700, 10, f"{WORDS[number - 1]} is a line that can be read.")
        made.append(page)
    return write_pdf(path, made)


def locked(path: Path, user: str, owner: str, algorithm: str) -> Path:
    writer = pypdf.PdfWriter(clone_from=small(path.with_suffix(".plain.pdf")))
    writer.encrypt(user, owner, algorithm=algorithm)
    with path.open("wb") as stream:
        writer.write(stream)
    return path


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"%P", "is not a PDF file"),
        (b"just a text\n", "it is plain text"),
        (b"<!DOCTYPE html><title>x</title>", "it is a web page"),
        (b"PK\x03\x04....", "it is a ZIP archive"),
        (b"\x00" * 2000 + b"%PDF-1.5", "is not a PDF file"),
        (b"%PDF-1.5\n", "is damaged"),
        (b"%PDF-1.5\n" + b"\xff" * 5000, "is damaged"),
    ],
)
def test_what_is_no_paper(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "x.pdf"
    path.write_bytes(content)
    with pytest.raises(InputError, match=SENTENCE) as caught:
        read_paper(path)
    assert words in str(caught.value)


def test_no_file_and_a_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        read_paper(tmp_path / "none.pdf")
    with pytest.raises(InputError, match="is a directory"):
        read_paper(tmp_path)


def test_no_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no text"):
        read_paper(write_pdf(tmp_path / "x.pdf", [Page()]))


def test_nothing_but_text_at_a_slope(tmp_path: Path) -> None:
    page = Page(lines=["BT /r 10 Tf 0.8 0.6 -0.6 0.8 100 100 Tm (A stamp) Tj ET"])
    with pytest.raises(InputError, match="holds no running text"):
        read_paper(write_pdf(tmp_path / "x.pdf", [page]))


def test_nothing_but_page_numbers(tmp_path: Path) -> None:
    pages = [Page() for _ in range(5)]
    for number, page in enumerate(pages, 1):
        page.text(200, 770, 8, "A Paper About Nothing Much")
        page.text(300, 40, 9, str(number))
    with pytest.raises(InputError, match="holds no running text"):
        read_paper(write_pdf(tmp_path / "x.pdf", pages))


def test_pictures_only(tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    pdf = write_pdf(path, [Page(form=["BT ET"])]).read_bytes()
    path.write_bytes(pdf.replace(b"/Subtype /Form", b"/Subtype/Image"))
    with pytest.raises(InputError, match="no text layer, only pictures of its pages: run it through OCR"):
        read_paper(path)


def test_glyphs_without_meaning(tmp_path: Path) -> None:
    pdf = small(tmp_path / "x.pdf").read_bytes()
    font = b"/Subtype /Type1 /BaseFont /Times-Roman"
    (tmp_path / "y.pdf").write_bytes(pdf.replace(font, b"/Subtype/Type0 /Encoding/Identity-H".ljust(len(font))))
    with pytest.raises(InputError, match="does not say what its glyphs mean: run it through OCR"):
        read_paper(tmp_path / "y.pdf")


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-256"])
def test_passwords(tmp_path: Path, algorithm: str) -> None:
    path = locked(tmp_path / "locked.pdf", "secret", "owner", algorithm)
    with pytest.raises(InputError, match="is locked with a password: give it with --password"):
        read_paper(path)
    with pytest.raises(InputError, match="password does not open"):
        read_paper(path, password="guess")
    for password in ("secret", "owner"):
        assert "First is a line" in read_paper(path, password=password).passages[0].text
    # What was read with the password is not given to one who does not know it.
    with pytest.raises(InputError, match="is locked"):
        read_paper(path)


def test_a_file_that_only_its_owner_locked(tmp_path: Path) -> None:
    path = locked(tmp_path / "locked.pdf", "", "owner", "AES-256")
    assert "First is a line" in read_paper(path).passages[0].text
    assert "First is a line" in read_paper(path, password="anything").passages[0].text


def test_what_opens_aes_is_installed_with_the_tool() -> None:
    needed = importlib.metadata.requires("fxanchor") or []
    assert any(line.startswith("pypdf[crypto]") and "extra ==" not in line for line in needed)


def test_a_file_that_breaks_off(tmp_path: Path) -> None:
    whole = small(tmp_path / "x.pdf", pages=4).read_bytes()
    cut = tmp_path / "cut.pdf"
    cut.write_bytes(whole[: whole.index(b"xref") - 300])
    paper = read_paper(cut)
    assert [passage.text.split()[0] for passage in paper.passages] == ["First", "Second", "Third"]
    assert paper.warnings[0].startswith("The file is damaged")


def test_a_broken_page_tree(tmp_path: Path) -> None:
    whole = small(tmp_path / "x.pdf", pages=2).read_bytes()
    (tmp_path / "y.pdf").write_bytes(whole.replace(b"/Type /Pages /Kids", b"/Type /Bogus /Nope"))
    paper = read_paper(tmp_path / "y.pdf")
    assert len(paper.passages) == 2
    assert paper.warnings == ("The file is damaged: its pages were put together from what is left of it.",)


def test_a_damaged_page_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    whole = small(tmp_path / "x.pdf", pages=3).read_bytes()
    second = whole.index(b"stream\n", whole.index(b"endstream") + 9) + 7
    (tmp_path / "y.pdf").write_bytes(whole[:second] + b"\xff" * 8 + whole[second + 8 :])
    paper = read_paper(tmp_path / "y.pdf")
    assert [passage.text.split()[0] for passage in paper.passages] == ["First", "Third"]
    assert [warning for warning in paper.warnings if "Page 2" in warning]


def test_a_lost_font(tmp_path: Path) -> None:
    whole = small(tmp_path / "x.pdf").read_bytes()
    (tmp_path / "y.pdf").write_bytes(
        whole.replace(b"/r 3 0 R", b"/r 99 0 R"[:8].ljust(8)).replace(b"3 0 obj", b"9 9 obj")
    )
    paper = read_paper(tmp_path / "y.pdf")
    assert paper.passages[0].text == "First is a line that can be read."
    assert any("Fonts are missing" in warning for warning in paper.warnings)


def test_a_page_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "MAX_SPANS", 20)
    page = Page()
    for line in range(10):
        page.text(72, 700 - 12 * line, 10, "Some words that are shown on this page.")
    last = Page()
    last.text(72, 700, 10, "A short page.")
    paper = read_paper(write_pdf(tmp_path / "x.pdf", [page, last]))
    assert paper.warnings == ("Page 1 is too large and was read in part only.",)
    assert paper.passages[-1].text.endswith("A short page.")


def test_a_page_that_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read_paper(small(tmp_path / "x.pdf"))  # what is imported on first use takes time too
    monkeypatch.setattr(parse, "SECONDS_PER_PAGE", 0.5)
    slow, quick = Page(), Page()
    slow.text(72, 700, 10, "Some words before it takes long.")
    slow.lines.append("BT /r 10 Tf (a) Tj ET " * 500_000)
    quick.text(72, 700, 10, "A short page.")
    start = time.monotonic()
    paper = read_paper(write_pdf(tmp_path / "y.pdf", [slow, quick]))
    assert time.monotonic() - start < 10
    assert paper.warnings == ("Page 1 is too large and was read in part only.",)
    assert paper.passages[0].text.startswith("Some words before")
    assert paper.passages[-1].text.endswith("A short page.")


def test_a_form_that_paints_itself(tmp_path: Path) -> None:
    page = Page(form=["BT /r 10 Tf 72 600 Td (in the form) Tj ET /F Do"])
    page.text(72, 700, 10, "on the page")
    path = write_pdf(tmp_path / "x.pdf", [page], compress=False)
    pdf = path.read_bytes()
    number = pdf[: pdf.index(b"/Type /XObject")].rsplit(b" 0 obj", 1)[0].rsplit(b"\n", 1)[1]
    inner = b"/Resources << /XObject << /F %s 0 R >> " % number
    path.write_bytes(pdf.replace(b"/BBox [0 0 612 792] /Resources << ", b"/BBox [0 0 612 792] " + inner))
    assert "in the form" in " ".join(passage.text for passage in read_paper(path).passages)


def test_too_large_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file, "MAX_BYTES", 100)
    with pytest.raises(InputError, match="is larger than"):
        read_paper(small(tmp_path / "x.pdf"))


def test_nothing_reaches_the_terminal(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    logging.getLogger().addHandler(handler)
    try:
        whole = small(tmp_path / "x.pdf").read_bytes()
        (tmp_path / "y.pdf").write_bytes(whole[:-200])
        read_paper(tmp_path / "y.pdf")
    finally:
        logging.getLogger().removeHandler(handler)
    assert stream.getvalue() == ""
    assert capfd.readouterr() == ("", "")


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    read_paper(small(tmp_path / "x.pdf", pages=3), progress=lambda *step: told.append(step))
    assert told[0] == ("reading pages", 0, 3)
    assert ("reading pages", 3, 3) in told
    assert told[-1] == ("arranging lines", 3, 3)


def test_reading_is_deterministic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages, _ = page_case((CASES / "paper" / "headings.txt").read_text(encoding="utf-8"))
    path = write_pdf(tmp_path / "x.pdf", pages)
    first = read_paper(path)
    monkeypatch.setenv("FXANCHOR_CACHE", str(tmp_path / "other"))
    assert read_paper(path) == first
