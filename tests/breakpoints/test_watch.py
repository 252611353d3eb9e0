"""Watches show values without changing what they look at, or are refused."""

from pathlib import Path

import pytest
from helpers.tape import RECORDING, stopped

from fxanchor.breakpoints.watch import Watcher

CASES = Path(__file__).parents[1] / "cases" / "breakpoints" / "watch"


def read(name: str) -> list[tuple[str, str]]:
    lines = (CASES / name).read_text(encoding="utf-8").splitlines()
    pairs = (line.partition(" => ") for line in lines if line and not line.startswith("#"))
    return [(expression, expected) for expression, _, expected in pairs]


@pytest.mark.parametrize(("expression", "expected"), read("allowed.txt"))
def test_a_watch_that_only_looks_is_shown(expression: str, expected: str) -> None:
    frame, tape = stopped()
    assert Watcher(RECORDING).look(expression, frame) == expected
    assert [step.name for step in tape.steps] == ["y", "z"]


@pytest.mark.parametrize(("expression", "expected"), read("refused.txt"))
def test_a_watch_that_would_record_or_change_is_refused(expression: str, expected: str) -> None:
    frame, tape = stopped()
    before = {name: repr(frame.f_locals[name]) for name in ("plain", "numbers")}
    shown = Watcher(RECORDING).look(expression, frame)
    assert shown.startswith("refused: ")
    assert expected in shown
    assert [step.name for step in tape.steps] == ["y", "z"]
    assert {name: repr(frame.f_locals[name]) for name in before} == before


def test_recording_goes_on_after_a_refusal() -> None:
    frame, tape = stopped()
    Watcher(RECORDING).look('tape.write("new")', frame)
    tape.write("after")
    assert [step.name for step in tape.steps] == ["y", "z", "after"]


@pytest.mark.parametrize("expression", ["", "1 +", "x = 1", "import os", "(" * 300, "a" * 1000, "\0"])
def test_what_is_no_expression_is_named_in_a_sentence(expression: str) -> None:
    frame, _ = stopped()
    shown = Watcher(RECORDING).look(expression, frame)
    assert shown.endswith(".") and ("is not a Python expression" in shown or "at most" in shown)


def test_a_person_is_told_which_names_record() -> None:
    frame, _ = stopped()
    (sentence,) = Watcher(RECORDING).warnings(frame)
    assert "look at later.step, not at later.shape" in sentence


def test_nothing_is_said_where_nothing_records() -> None:
    import sys

    assert Watcher(RECORDING).warnings(sys._getframe()) == ()
