"""Pages as text files, and the passages that must be read from them."""

from pathlib import Path

import pytest
from helpers.cases import CASES
from helpers.pdf_files import page_case, write_pdf

from fxanchor.paper.read import read_paper

FILES = sorted((CASES / "paper").glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_passages(file: Path, tmp_path: Path) -> None:
    pages, expected = page_case(file.read_text(encoding="utf-8"))
    paper = read_paper(write_pdf(tmp_path / "case.pdf", pages))
    found = [_told(passage.role, passage.section, passage.label, passage.text) for passage in paper.passages]
    assert found == expected


def _told(role: str, section: str, label: str, text: str) -> str:
    where = "".join(f" [{part}]" for part in (section and f"§{section}", label) if part)
    return f"{role}{where} | {text}".replace("\n", "\\n")


def test_every_letter_has_a_place(tmp_path: Path) -> None:
    for file in FILES:
        pages, _ = page_case(file.read_text(encoding="utf-8"))
        paper = read_paper(write_pdf(tmp_path / f"{file.stem}.pdf", pages))
        for passage in paper.passages:
            placed: set[int] = set()
            for piece in passage.pieces:
                placed.update(range(piece.start, piece.end))
                assert 1 <= piece.page <= paper.pages
                assert piece.line >= 1
                assert piece.box.x0 < piece.box.x1 and piece.box.y0 < piece.box.y1
            bare = [char for at, char in enumerate(passage.text) if at not in placed and not char.isspace()]
            assert not bare, (file.name, passage.text)
