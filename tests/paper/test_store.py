"""Kept papers: the same again, never stale, never half-written."""

import multiprocessing
import os
from pathlib import Path

import pytest
from helpers.cases import CASES
from helpers.pdf_files import Page, page_case, write_pdf

from fxanchor import cache
from fxanchor.paper import parse
from fxanchor.paper.document import Paper
from fxanchor.paper.read import read_paper


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    pages, _ = page_case((CASES / "paper" / "headings.txt").read_text(encoding="utf-8"))
    return write_pdf(tmp_path / "paper.pdf", pages)


def kept() -> list[Path]:
    return sorted((cache.directory() / "paper").glob("*.json"))


def no_reading(*_: object) -> Paper:
    raise AssertionError("read again")


def test_a_kept_paper_is_the_same(pdf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = read_paper(pdf)
    assert len(kept()) == 1
    monkeypatch.setattr(parse, "parse_paper", no_reading)
    assert read_paper(pdf) == first


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"{}", b"null", b"\xff\xfe", b'{"format":0}', b"[" * 100_000])
def test_a_damaged_entry_is_rebuilt(pdf: Path, damage: bytes) -> None:
    first = read_paper(pdf)
    (entry,) = kept()
    good = entry.read_bytes()
    entry.write_bytes(damage)
    assert read_paper(pdf) == first
    assert entry.read_bytes() == good
    entry.write_bytes(good[: len(good) // 2])
    assert read_paper(pdf) == first


def test_a_changed_file_or_reader_is_read_anew(pdf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read_paper(pdf)
    page = Page()
    page.text(72, 700, 10, "Another text.")
    assert read_paper(write_pdf(pdf, [page])).passages[0].text == "Another text."
    monkeypatch.setattr(cache, "code_stamp", lambda package: "another version")
    monkeypatch.setattr(parse, "parse_paper", no_reading)
    with pytest.raises(AssertionError, match="read again"):
        read_paper(pdf)


def test_without_a_cache_it_is_read_all_the_same(pdf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FXANCHOR_CACHE", str(tmp_path / "file"))
    assert read_paper(pdf).passages


def _read_in_child(path: str, folder: str) -> int:
    os.environ["FXANCHOR_CACHE"] = folder
    return sum(len(read_paper(Path(path)).passages) for _ in range(5))


def test_several_processes_share_it(pdf: Path) -> None:
    folder = os.environ["FXANCHOR_CACHE"]
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        counts = pool.starmap(_read_in_child, [(str(pdf), folder)] * 6)
    assert len(set(counts)) == 1
    assert [path.suffix for path in (cache.directory() / "paper").iterdir()] == [".json"]


@pytest.mark.parametrize("changed", ["read.py", "page/lines.py"])
def test_a_layer_is_another_one_when_any_of_its_files_changed(
    changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "cache.py"))
    (tmp_path / "paper" / "page").mkdir(parents=True)
    for name in ("read.py", "page/lines.py"):
        (tmp_path / "paper" / name).write_text("a = 1\n")
    before = cache.code_stamp("paper")
    assert cache.code_stamp("paper") == before
    (tmp_path / "paper" / changed).write_text("a = 22\n")
    assert cache.code_stamp("paper") != before
