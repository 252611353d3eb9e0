"""Texts that are made to take long, or to break the checker, do neither."""

import time
from pathlib import Path

import pytest
from helpers.cases import CASES
from helpers.project import PRIMER

from fxanchor.checking.check import Request, check_file
from fxanchor.checking.library import Library
from fxanchor.checking.paperfacts import PaperFacts
from fxanchor.paper.read import read_paper
from fxanchor.source.index import open_index

TEXTS = {
    "brackets": "lathe x" + "(" * 20_000,
    "dots": "lathe " + "a." * 30_000,
    "digits": "engine.py:" + "1" * 5_000,
    "ticks": "`" * 9_999 + "\n" + "` " * 9_999,
    "nested code": "```python\n" + "(" * 3_000 + ")" * 3_000 + "\n```",
    "sections": "Section 1." * 2_000 + " of the paper",
    "blanks": " " * 60_000 + "x",
    "tags": "<" * 20_000,
}


@pytest.mark.parametrize("suffix", [".md", ".html"])
@pytest.mark.parametrize("text", list(TEXTS.values()), ids=list(TEXTS))
def test_time_is_bounded(text: str, suffix: str, tmp_path: Path) -> None:
    request = Request(
        Library(open_index(["lathe"], source=CASES / "checking" / "package")), PaperFacts(read_paper(PRIMER))
    )
    file = tmp_path / f"text{suffix}"
    file.write_text(text, encoding="utf-8")
    started = time.process_time()
    check_file(file, request)
    assert time.process_time() - started < 8
