"""A file that ends the process while it is imported is loaded from its definitions."""

import tomllib
from pathlib import Path

import pytest

from fxanchor.errors import InputError
from fxanchor.model.attempt import run_on_model
from fxanchor.model.process import ChildResult
from fxanchor.model.spec import parse_model

HELPERS = Path(__file__).parents[1] / "helpers"
FOLDER = Path(__file__).parents[1] / "cases" / "load" / "crashing"


@pytest.fixture(autouse=True)
def in_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(HELPERS))
    monkeypatch.chdir(FOLDER)


def attempt(text: str, seconds: float = 90, import_seconds: float = 1) -> ChildResult:
    spec = parse_model(text, import_seconds=import_seconds)
    return run_on_model("load_entry:run", spec, {}, seconds=seconds, memory_bytes=2**31)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_second_attempt_executes_definitions(path: Path) -> None:
    expected = tomllib.loads(path.with_suffix(".toml").read_text(encoding="utf-8"))
    loaded = attempt(path.name).unwrap()
    assert loaded["built_by"] == "Net()"
    (note,) = loaded["notes"]
    assert note.startswith("Only imports, definitions and simple constants of")
    assert expected["reason"] in note


def test_a_crash_after_importing_is_not_tried_again() -> None:
    told: list[str] = []
    spec = parse_model("segfaults.py:__import__('os').abort()", import_seconds=1)
    result = run_on_model(
        "load_entry:run",
        spec,
        {},
        seconds=60,
        memory_bytes=2**31,
        progress=lambda label, _done, _total: told.append(label),
    )
    assert result.end == "killed"
    assert "crashed with SIGABRT" in result.sentence
    assert "while building" in result.sentence
    assert len([label for label in told if label.startswith("building")]) == 1


def test_what_cannot_be_read_starts_no_child(tmp_path: Path) -> None:
    broken = tmp_path / "net.py"
    broken.write_text("def", encoding="utf-8")
    with pytest.raises(InputError, match="is not valid Python"):
        attempt(str(broken), seconds=0.01)
