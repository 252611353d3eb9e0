"""The commands `lab` and `transform` from the outside: output, exit codes, and what is refused."""

import json

import pytest
from helpers.cases import CASES
from helpers.project import PRIMER, fxanchor

FOLDER = CASES / "labs" / "transform"
NET = f"{FOLDER / 'net.py'}:evaluated()"
PASSES = FOLDER / "passes.py"


def test_labs_are_listed() -> None:
    run = fxanchor("lab", "list", "--json")
    names = [lab["name"] for lab in json.loads(run.stdout)["labs"]]
    assert "leaf-modules" in names
    assert names == sorted(names)


def test_a_lab_is_run_and_what_it_means_is_said() -> None:
    run = fxanchor("lab", "run", "editing", "--strict")
    assert (run.returncode, run.stderr) == (0, "")
    assert "Verdict    does not hold" in run.stdout
    assert "Watch at   torch/fx/graph_module.py:" in run.stdout


def test_a_lab_is_printed_as_a_script() -> None:
    run = fxanchor("lab", "run", "leaf-modules", "--script")
    compile(run.stdout, "script", "exec")
    assert run.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("lab", "run"), "give --all"),
        (("lab", "run", "editing", "--all"), "give --all"),
        (("lab", "run", "--all", "--script"), "name one"),
        (("lab", "run", "no-such-lab"), "fxanchor lab list"),
        (("transform", NET), "--pass"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(arguments: tuple[str, ...], words: str) -> None:
    run = fxanchor(*arguments)
    assert run.returncode == 2
    assert words in run.stderr


def test_the_listings_of_a_paper_run_when_told_to() -> None:
    assert "add --run" in fxanchor("lab", "paper", str(PRIMER)).stdout
    run = fxanchor("lab", "paper", str(PRIMER), "--run", "--json")
    assert [listing["status"] for listing in json.loads(run.stdout)["listings"]] == ["same", "ran"]


def test_a_transform_says_by_its_exit_code_whether_it_may_be_trusted() -> None:
    arguments = ("transform", NET, "--pass", f"{PASSES}:edits_a_copy", "--input", "2x3x8x8")
    run = fxanchor(*arguments, "--strict", "--json")
    assert run.returncode == 1
    assert json.loads(run.stdout)["stages"][0]["changes"][0]["kind"] == "retargeted"
    run = fxanchor(*arguments, "--strict", "--tolerance", "10", "--print")
    assert run.returncode == 0
    assert "# " in run.stdout
