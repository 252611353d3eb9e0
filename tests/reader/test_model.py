"""The user's model in pieces: every trigger is underlined where it stands, the innermost last."""

from pathlib import Path
from typing import Any

import pytest

from fxanchor.breakpoints.trace import Trace
from fxanchor.model.report import Blocker, Capture, NodeRow, Trigger
from fxanchor.sheet.reader.model import model_document
from fxanchor.sheet.study.content import ModelPart
from fxanchor.sheet.study.options import Language

SOURCE = """\
def forward(x):
    y = relu(norm(
        x))
    return y + 1
"""
RELU = Trigger("net.py", 2, 3, 8, 11, "relu(norm(x))")
NORM = Trigger("net.py", 2, 3, 13, 10, "norm(x)")
ADD = Trigger("net.py", 4, 4, 11, 16, "y + 1")
LIBRARY = Trigger("torchlib/resnet.py", 7, 7, 0, 4, "f(x)")


@pytest.fixture
def document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.chdir(tmp_path)
    Path("net.py").write_text(SOURCE, encoding="utf-8")
    return made("net.py", RELU, NORM, ADD, LIBRARY)


def made(file: str, *triggers: Trigger) -> dict[str, Any]:
    nodes = tuple(
        NodeRow(f"n{number}", "call_function", "f", "recorded call", trigger) for number, trigger in enumerate(triggers)
    )
    capture = Capture(file, "Net", "Net()", True, "symbolic_trace", (), nodes)
    return model_document(ModelPart(Trace(capture, ()), ()), Language.en)


def covered(document: dict[str, Any], number: int) -> list[str]:
    (file,) = document["files"]
    lines = ["".join(text for _, text, over in line if number in over) for line in file["lines"]]
    return [line for line in lines if line]


def test_every_trigger_is_underlined_where_it_stands(document: dict[str, Any]) -> None:
    assert covered(document, 0) == ["relu(norm(", "x))"]
    assert covered(document, 1) == ["norm(", "x)"]
    assert covered(document, 2) == ["y + 1"]


def test_the_pieces_are_the_file(document: dict[str, Any]) -> None:
    (file,) = document["files"]
    assert "\n".join("".join(text for _, text, _ in line) for line in file["lines"]) + "\n" == SOURCE


def test_the_innermost_trigger_comes_last(document: dict[str, Any]) -> None:
    (file,) = document["files"]
    assert next(over for _, text, over in file["lines"][1] if text == "norm") == [0, 1]


def test_a_library_is_named_and_not_shown(document: dict[str, Any]) -> None:
    assert document["triggers"][3]["file"] == "torchlib/resnet.py"
    assert len(document["files"]) == 1


@pytest.mark.parametrize("file", ["gone.py", "net.ipynb", "folder"])
def test_a_file_that_is_no_readable_python_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("net.ipynb").write_text("{}", encoding="utf-8")
    Path("folder").mkdir()
    assert made(file)["files"] == []


def test_hidden_characters_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("net.py").write_text("x = 'a\u202eb'\n", encoding="utf-8")
    (file,) = made("net.py")["files"]
    assert "".join(text for _, text, _ in file["lines"][0]) == "x = 'a\\u202eb'"


def test_a_blocker_is_marked_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("net.py").write_text(SOURCE, encoding="utf-8")
    blocker = Blocker("control-flow", "net.py", 4, 11, 16, "y + 1", "", None, "It depends on a value.")
    capture = Capture("net.py", "Net", "Net()", False, "none", (), (), (blocker,))
    document = model_document(ModelPart(Trace(capture, ()), ()), Language.en)
    assert covered(document, 0) == ["y + 1"]
    assert document["triggers"][0]["blocks"] == [{"why": "It depends on a value.", "silent": False}]
