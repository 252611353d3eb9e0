"""Whatever is wrong with what was typed: one plain sentence with the next step, the right exit code, nothing left."""

import json
import os
import shutil
import sys
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


@pytest.mark.parametrize(
    "command",
    [
        ("map", str(PRIMER), "-k", "Proxy\udcff"),
        ("map", str(PRIMER), "--package", "\udcff"),
        ("show", "Proxy\udcff"),
        ("sheet", str(PRIMER), "--only", "Proxy\udcff"),
        ("trace", str(MODEL), "--args", "\udcff"),
        ("debug", str(MODEL), "--when", "\udcff"),
    ],
    ids=lambda command: command[-2],
)
def test_a_name_that_is_no_text_is_refused(command: tuple[str, ...]) -> None:
    run = fxanchor(*command)
    assert run.returncode == 2, run.stderr
    assert "encoding" in run.stderr
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize("command", [("show",), ("map", "p.pdf", "--format"), ("map", "p.pdf", "-k")])
def test_a_word_that_is_too_long_is_refused(command: tuple[str, ...]) -> None:
    run = fxanchor(*command, "x" * 100_000)
    assert run.returncode == 2
    assert len(run.stderr) < 1500
    assert run.stderr.endswith("shorten it.\n")


@pytest.mark.parametrize("long", ["x" * 9_000, "x " * 4_000 + "x"], ids=["word", "words"])
def test_a_long_name_is_cut_where_it_is_quoted_and_kept_in_json(long: str) -> None:
    run = fxanchor("show", long)
    assert run.returncode == 2
    assert len(run.stderr) < 1500
    for form in ("table", "markdown"):
        run = fxanchor("map", str(PRIMER), "-k", long, "--format", form)
        assert run.returncode == 0
        assert "missing" in run.stdout
        assert max(map(len, run.stdout.splitlines())) < 1000
    run = fxanchor("map", str(PRIMER), "-k", long, "--json")
    concepts = json.loads(run.stdout)["concepts"]
    assert [concept["name"] for concept in concepts if concept["kind"] == "requested"] == [long]


def test_what_comes_behind_a_long_name_is_still_said() -> None:
    run = fxanchor("map", str(PRIMER), "--source", "x" * 3_000)
    assert run.returncode == 3
    assert "…" in run.stderr
    assert run.stderr.endswith("Check the path.\n")


def test_what_may_be_said_twice_is_taken_twice() -> None:
    run = fxanchor("map", str(PRIMER), "-k", "Proxy", "-k", "Node", "--package", "torch.fx", "--package", "torch.jit")
    assert run.returncode == 0, run.stderr
    assert "2 asked" in run.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="file names are not bytes here")
def test_files_with_names_in_another_encoding_are_read_and_written(tmp_path: Path) -> None:
    model, paper = tmp_path / "\udcffm.py", tmp_path / "\udcffp.pdf"
    shutil.copy(MODEL, model)
    shutil.copy(PRIMER, paper)
    run = fxanchor("map", paper.name, "--annotate", "\udcffa.pdf", "-o", "\udcff.json", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert run.stderr.startswith("Wrote \\udcffa.pdf with ")
    assert json.loads((tmp_path / "\udcff.json").read_text(encoding="utf-8"))["schema"].startswith("fxanchor.map")
    run = fxanchor("trace", model.name, "--graph", "\udcff.svg", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "\udcff.svg").read_text(encoding="utf-8").startswith("<svg")
    run = fxanchor("sheet", paper.name, model.name, cwd=tmp_path)
    assert run.returncode == 2
    assert "UTF-8" in run.stderr


@pytest.mark.parametrize("name", ["a\x1b[31mb.md", "a\nb.md"])
def test_the_name_of_a_file_is_told_without_what_a_terminal_obeys(name: str, tmp_path: Path) -> None:
    run = fxanchor("sheet", str(PRIMER), "--only", "Proxy", "--no-labs", "-o", str(tmp_path / name))
    assert run.returncode == 0, run.stderr
    assert (tmp_path / name).exists()
    assert "\x1b" not in run.stderr
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "ending", "begins"),
    [
        (("map", str(PRIMER)), ".json", '{\n "schema": "fxanchor.map'),
        (("map", str(PRIMER)), ".MD", "# "),
        (("sheet", str(PRIMER), "--only", "Proxy", "--no-labs"), ".html", "<!doctype html>"),
        (("sheet", str(PRIMER), "--only", "Proxy", "--no-labs"), ".ipynb", '{\n "cells"'),
        (("sheet", str(PRIMER), "--only", "Proxy", "--no-labs"), ".tsv", "#separator:tab"),
        (("check", str(CASES / "files" / "notes.md")), ".json", '{\n "schema"'),
        (("check", str(CASES / "files" / "notes.md")), ".sarif", '{\n "$schema"'),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_a_file_is_written_in_the_form_that_its_name_ends_in(
    command: tuple[str, ...], ending: str, begins: str, tmp_path: Path
) -> None:
    out = tmp_path / f"out{ending}"
    run = fxanchor(*command, "-o", str(out))
    assert run.returncode in (0, 1), run.stderr
    assert out.read_text(encoding="utf-8").startswith(begins)


def test_an_empty_argument_list_is_none(tmp_path: Path) -> None:
    run = fxanchor("transform", str(MODEL), "--print", "--args", " ")
    assert run.returncode == 0, run.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes with names")
def test_what_stands_beside_a_model_does_not_hold_it_up(tmp_path: Path) -> None:
    shutil.copy(MODEL, tmp_path / "net.py")
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "tests").symlink_to("tests")
    for name in ("pipe.py", "README.md"):
        os.mkfifo(tmp_path / name)
    run = fxanchor("trace", "net.py", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    run = fxanchor("trace", "loop.py", cwd=tmp_path)
    assert run.returncode == 3
    assert run.stderr == "fxanchor: loop.py does not exist; check the path.\n"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="every file can be read here")
@pytest.mark.parametrize(
    "command",
    [("check", "secret.md"), ("map", "secret.pdf"), ("trace", "secret.py"), ("map", str(PRIMER), "--source", "s")],
)
def test_what_may_not_be_read_is_an_input_that_cannot_be(command: tuple[str, ...], tmp_path: Path) -> None:
    for name in ("secret.md", "secret.pdf", "secret.py"):
        (tmp_path / name).touch(mode=0)
    (tmp_path / "s").mkdir(mode=0)
    run = fxanchor(*command, cwd=tmp_path)
    (tmp_path / "s").chmod(0o700)
    assert run.returncode == 3, run.stderr
    assert run.stderr.count("\n") == 1
