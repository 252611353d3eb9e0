"""Whatever is wrong with what was typed: one plain sentence with the next step, the right exit code, nothing left."""

import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from helpers.project import MODEL, PRIMER, ROOT, fxanchor

CASES = ROOT / "tests" / "cases" / "cli"
WRONG: list[dict[str, Any]] = tomllib.loads((CASES / "bad_input.toml").read_text(encoding="utf-8"))["case"]


def words_of(case: dict[str, Any], tmp: Path) -> list[str]:
    places = {"here": CASES.relative_to(ROOT), "tmp": tmp, "primer": PRIMER.relative_to(ROOT)}
    return [word.format(**places, model=MODEL.relative_to(ROOT)) for word in case["command"]]


@pytest.mark.parametrize("case", WRONG, ids=lambda case: " ".join(case["command"]))
def test_one_sentence_and_the_exit_code(case: dict[str, Any], tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    run = fxanchor(*words_of(case, empty), env={"FXANCHOR_CACHE": str(tmp_path / "cache")})
    said = run.stderr.strip()
    assert run.returncode == case["code"], said
    assert "Traceback" not in said
    for words in case["says"]:
        assert words in said
    # The command line's own complaints take three lines; ours are one.
    assert said.startswith("Usage: ") or "\n" not in said, said
    assert not list(empty.iterdir())


@pytest.mark.skipif(not (ROOT.parent / "shared" / "papers" / "hard").is_dir(), reason="the papers are not here")
def test_every_hard_pdf_is_read_or_refused_plainly(tmp_path: Path) -> None:
    papers = sorted((ROOT.parent / "shared" / "papers" / "hard").iterdir())

    def run(paper: Path) -> tuple[str, int, str]:
        done = fxanchor("map", str(paper), env={"FXANCHOR_CACHE": str(tmp_path / "cache")})
        return paper.name, done.returncode, done.stderr

    with ThreadPoolExecutor(2) as pool:
        for name, code, said in pool.map(run, papers):
            assert code in (0, 3), f"{name}: {said}"
            assert "Traceback" not in said
            assert code == 0 or said.count("\n") == 1, f"{name}: {said}"
