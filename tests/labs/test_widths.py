"""What labs and transforms print fits a narrow terminal: nothing is cut off, and code can be copied."""

import pytest
from helpers.cases import CASES
from helpers.project import fxanchor

from fxanchor.labs.shelf import all_labs, find_labs

FOLDER = CASES / "labs" / "transform"
NET = f"{FOLDER / 'net.py'}:evaluated()"


def printed(*words: str, width: int) -> list[str]:
    run = fxanchor(*words, env={"COLUMNS": str(width)})
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


@pytest.mark.parametrize("width", [80, 120])
def test_every_lab_is_listed_by_its_whole_name_with_its_whole_verdict(width: int) -> None:
    lines = printed("lab", "list", width=width)
    assert max(map(len, lines)) <= width
    for lab in all_labs():
        (row,) = [line for line in lines if line.startswith(f"{lab.name} ")]
        assert lab.verdict in row


def test_the_code_of_a_lab_is_shown_as_it_is() -> None:
    text = "\n".join(printed("lab", "show", "leaf-modules", width=80))
    assert find_labs(["leaf-modules"])[0].code.strip() in text


def test_what_stands_behind_a_label_goes_on_below_itself() -> None:
    lines = printed("lab", "show", "leaf-modules", width=80)
    at = next(number for number, line in enumerate(lines) if line.startswith("Means  "))
    assert lines[at + 1].startswith(" " * 11)
    assert lines[at + 1][11] != " "


def test_a_change_is_told_in_full_on_a_narrow_terminal() -> None:
    command = ("transform", NET, "--pass", f"{FOLDER / 'passes.py'}:edits_a_copy", "--input", "2x3x8x8")
    narrow = " ".join(" ".join(printed(*command, width=80)).split())
    for text in ("before call_function[target=torch.relu]", "after call_function[target=torch.sigmoid]"):
        assert text in narrow
    assert "node.target" in narrow
    assert "passes.py:51 node.target" in "".join(narrow)
    wide = printed(*command, width=400)
    assert any(line.startswith("retargeted ") and "passes.py:" in line for line in wide)


def test_a_mark_stands_below_its_expression_on_a_narrow_terminal() -> None:
    model = CASES / "labs" / "models" / "branching.py"
    run = fxanchor("trace", str(model), "--only-fx", env={"COLUMNS": "80"})
    lines = run.stdout.splitlines()
    at = next(number for number, line in enumerate(lines) if set(line.strip()) == {"^"})
    begin = lines[at].index("^")
    assert lines[at - 1][begin:].startswith("x.sum() > 0")
