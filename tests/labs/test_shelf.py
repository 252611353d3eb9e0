"""What makes a file a lab, and how labs are found by name."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.cases import CASES

from fxanchor.errors import UsageError
from fxanchor.labs.kernel import Outcome, judge, observe
from fxanchor.labs.lab import Verdict
from fxanchor.labs.shelf import all_labs, find_labs, read_lab

HEADERS = sorted((CASES / "labs" / "headers").glob("*.py"))


@pytest.mark.parametrize("file", HEADERS, ids=lambda file: file.stem)
def test_a_file_that_is_no_lab_is_refused(file: Path) -> None:
    expected = file.read_text(encoding="utf-8").splitlines()[-1].removeprefix("# ")
    with pytest.raises(ValueError, match=re.escape(expected)):
        read_lab(file)


def test_every_lab_says_what_is_needed() -> None:
    for lab in all_labs():
        assert lab.title, lab.name
        assert lab.statement.endswith("."), lab.name
        assert re.match(r"(paper( [\dA-Z]|$)|documentation: |common belief$)", lab.said_by), lab.name
        assert (lab.verdict == "changed since") == bool(lab.changed), lab.name
        assert lab.verdict != "not applicable", lab.name


def test_labs_are_found_by_name_once_each() -> None:
    found = find_labs(["leaf_modules", "editing", "Leaf-Modules"])
    assert [lab.name for lab in found] == ["leaf-modules", "editing"]


@pytest.mark.parametrize(
    ("name", "words"), [("leaf-module", "did you mean leaf-modules?"), ("zzz", "fxanchor lab list")]
)
def test_an_unknown_lab_is_a_usage_error(name: str, words: str) -> None:
    with pytest.raises(UsageError, match=re.escape(words)):
        find_labs([name])


YES, NO, INFO = ("a", "b", True), ("a", "b", False), ("a", "b", None)


@pytest.mark.parametrize(
    ("observations", "raised", "recorded", "foreign", "verdict"),
    [
        ([YES, INFO], "", "holds", False, "holds"),
        ([YES, NO], "", "does not hold", False, "does not hold"),
        ([YES, NO], "", "holds", False, "changed since"),
        ([YES], "", "does not hold", False, "changed since"),
        ([YES], "ValueError: x", "holds", False, "changed since"),
        ([YES], "ValueError: x", "holds", True, "not applicable"),
        ([YES, NO], "", "holds", True, "does not hold"),
        ([YES], "", "does not hold", True, "holds"),
        ([INFO], "", "holds", False, "not applicable"),
        ([], "", "does not hold", False, "not applicable"),
        ([NO], "", "changed since", False, "changed since"),
        ([YES], "", "changed since", False, "holds"),
    ],
)
def test_the_verdict_follows_from_what_was_seen(
    observations: list[tuple[str, str, bool | None]], raised: str, recorded: str, foreign: bool, verdict: str
) -> None:
    assert judge(observations, raised, recorded, foreign) == verdict


def test_an_experiment_that_raises_keeps_what_it_saw() -> None:
    def experiment() -> object:
        print("noise")
        yield "one", 1, True
        raise KeyError("gone")

    observations, raised = observe(experiment, ())  # type: ignore[arg-type]
    assert observations == [("one", "1", True)]
    assert raised.startswith("KeyError: 'gone' (test_shelf.py:")


@pytest.mark.parametrize(
    ("recorded", "observations", "raised", "reason"),
    [
        ("holds", [YES, INFO, ("c", "d", False)], "", "on torch 9.1 the verdict was holds; here these disagree: c"),
        ("does not hold", [YES, INFO], "", "on torch 9.1 the verdict was does not hold; here these agree: a"),
        ("holds", [YES], "KeyError: x (lab.py:3)", "it raised KeyError: x (lab.py:3)"),
        ("holds", [INFO], "", "nothing in it could be checked here"),
        ("holds", [YES], "", ""),
        ("changed since", [NO], "", "it moved"),
        ("changed since", [YES], "", ""),
    ],
)
def test_what_turned_a_verdict_is_said(
    recorded: Verdict, observations: list[tuple[str, str, bool | None]], raised: str, reason: str
) -> None:
    from fxanchor.labs.child import reason_of

    changed = "it moved" if recorded == "changed since" else ""
    lab = replace(all_labs()[0], verdict=recorded, seen_on=("9.1",), changed=changed)
    outcome = Outcome(observations, raised, judge(observations, raised, recorded))
    assert reason_of(lab, outcome) == reason
