"""Every kind of blocker and of silent wrong: a small model file each, and beside it what must be said of it."""

import io
import warnings
from typing import Any

import pytest
from helpers.models import MODELS, capture_case, expected

from fxanchor.model.report import Blocker

NAMES = sorted(path.stem for path in MODELS.glob("*.toml"))


def told(blocker: Blocker) -> dict[str, Any]:
    """A blocker in the terms of the case files."""
    found: dict[str, Any] = {
        "kind": blocker.kind,
        "line": blocker.line,
        "col": blocker.col,
        "end_col": blocker.end_col,
        "expression": blocker.expression,
        "raised_by": blocker.raised_at.symbol if blocker.raised_at else "",
        "cause": blocker.cause.line if blocker.cause else 0,
        "silent": blocker.silent,
        "verified": [recipe.title for recipe in blocker.recipes if recipe.verified],
        "hints": [recipe.title for recipe in blocker.recipes if not recipe.verified],
    }
    return found


@pytest.mark.parametrize("name", NAMES)
def test_what_is_said_of_a_model(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = expected(name)
    # As in the process that models run in.
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = capture_case(name, case.get("input", ""), only_fx=True)

    assert found.ok == case["captured"]
    assert [told(blocker) for blocker in found.blockers] == case.get("blocker", [])
    assert all(blocker.explanation for blocker in found.blockers)
    said = " ".join(blocker.explanation for blocker in found.blockers)
    assert [words for words in case.get("says", []) if words not in said] == []
    for title, stops_at, behind_others in case.get("tried", []):
        recipe = next(recipe for b in found.blockers for recipe in b.recipes if recipe.title == title)
        assert (recipe.stops_at.rpartition("/")[2], recipe.behind_others) == (stops_at, behind_others)
    assert all(recipe.nodes > 0 for b in found.blockers for recipe in b.recipes if recipe.verified)


@pytest.mark.parametrize("name", sorted(path.stem for path in MODELS.glob("*.py")))
def test_every_model_file_has_its_expectation(name: str) -> None:
    assert (MODELS / f"{name}.toml").is_file()
