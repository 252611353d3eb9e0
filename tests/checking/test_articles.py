"""Whole texts of every kind: exactly what is listed beside each is flagged."""

from pathlib import Path

import pytest
from helpers.cases import CASES

from fxanchor.checking.check import Request, check_file
from fxanchor.checking.library import Library
from fxanchor.source.index import open_index

ARTICLES = CASES / "checking" / "articles"
TEXTS = sorted(file for file in ARTICLES.iterdir() if file.suffix != ".expected")


@pytest.fixture(scope="module")
def request_for_lathe() -> Request:
    return Request(Library(open_index(["lathe"], source=CASES / "checking" / "package")))


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.name)
def test_what_is_flagged_is_what_is_listed(file: Path, request_for_lathe: Request) -> None:
    checked = check_file(file, request_for_lathe)
    flagged = [
        f"{one.verdict} {one.kind} {' '.join(checked.text.content[one.start : one.end].split())}"
        for one in checked.references
        if one.verdict in ("wrong", "moved")
    ]
    assert flagged == file.with_suffix(".expected").read_text(encoding="utf-8").splitlines()
