"""Pages as text files, the sections that must be found in them, and the section that each paragraph stands in."""

import re
from pathlib import Path
from typing import Any

import pytest
from helpers.cases import CASES
from helpers.pdf_files import page_case, write_pdf
from pypdf import PdfWriter

from fxanchor.paper.document import Paper
from fxanchor.paper.read import read_paper

FILES = sorted((CASES / "paper" / "sections").glob("*.txt"))
# `para x y word` stands for a paragraph of two lines that holds the word.
_PARAGRAPH = re.compile(r"^para (\d+) (\d+) (\w+)$", re.MULTILINE)
_BOOKMARKS = re.compile(r"^== bookmarks\n((?:\d+ \d .*\n)+)", re.MULTILINE)


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_sections(file: Path, tmp_path: Path) -> None:
    text = file.read_text(encoding="utf-8")
    told = _BOOKMARKS.search(text)
    pages, expected = page_case(_BOOKMARKS.sub("", _PARAGRAPH.sub(_two_lines, text)))
    path = write_pdf(tmp_path / "case.pdf", pages)
    if told is not None:
        _add_bookmarks(path, told[1])
    paper = read_paper(path)
    found = [f"{section.number} | {section.level} | {section.title}".strip() for section in paper.sections]
    words = [line.split(" in ", 1)[0] for line in expected if " in " in line and "|" not in line]
    assert [*found, *(f"{word} in {_section_of(word, paper)}".strip() for word in words)] == expected


def _two_lines(match: re.Match[str]) -> str:
    x, y, word = match[1], int(match[2]), match[3]
    return (
        f"{x} {y} 10 The word {word} stands in a line of running text that is about as wide as its column allows,\n"
        f"{x} {y - 12} 10 and after it comes another line, which is a little shorter and ends the paragraph."
    )


def _section_of(word: str, paper: Paper) -> str:
    alone = re.compile(rf"(?<![a-z]){word}(?![a-z])")
    return next(passage.section for passage in paper.passages if alone.search(passage.text))


def _add_bookmarks(path: Path, told: str) -> None:
    """Add bookmarks, each told by page, depth and title."""
    writer = PdfWriter(clone_from=path)
    parents: list[Any] = []
    for line in told.splitlines():
        page, depth, title = line.split(" ", 2)
        parent = parents[int(depth) - 1] if int(depth) else None
        item = writer.add_outline_item(title=title, page_number=int(page) - 1, parent=parent)
        parents[int(depth) :] = [item]
    writer.write(path)
