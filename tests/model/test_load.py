"""Every case of tests/cases/load becomes a model, or one sentence."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from fxanchor.model.process import run_child

HELPERS = Path(__file__).parents[1] / "helpers"
FOLDER = Path(__file__).parents[1] / "cases" / "load"
CASES = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.toml"))}
OPTIONS = ("args", "config", "inputs", "import_seconds")
# The large cases describe 28 GB of weights.
MEMORY = 3 * 2**30


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Any]:
    """Load all cases in one child process: importing torch takes most of the time."""
    models = {
        name: (case.get("model", f"{name}.py"), {option: case[option] for option in OPTIONS if option in case})
        for name, case in CASES.items()
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(HELPERS))
        patch.chdir(FOLDER)
        result = run_child("load_entry:many", {"models": models}, seconds=120, memory_bytes=MEMORY)
    return result.unwrap()


@pytest.mark.parametrize("name", CASES)
def test_case(name: str, outcomes: dict[str, Any]) -> None:
    case, outcome = CASES[name], outcomes[name]
    expected = {key: value for key, value in case.items() if key not in {"model", "says", "notes", *OPTIONS}}
    assert {key: outcome.get(key) for key in expected} == expected, outcome
    if "error" in case:
        assert case["says"] in outcome["says"]
        assert outcome["says"].endswith(".")
        assert outcome["says"].isprintable()
        return
    assert "error" not in outcome, outcome["says"]
    if outcome["cuda"] and any("CUDA" in note for note in case.get("notes", ())):
        pytest.skip("this machine has CUDA")
    assert outcome["own_file"]
    assert not outcome["torch_file"]
    assert len(outcome["notes"]) == len(case.get("notes", ()))
    for note, part in zip(outcome["notes"], case.get("notes", ()), strict=True):
        assert part in note
