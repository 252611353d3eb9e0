"""A session opens the debugger at the planned calls only, and leaves the process as it was."""

import bdb
import io
import runpy
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.tape import RECORDING, Tape

from fxanchor.breakpoints.gate import PlannedStop
from fxanchor.breakpoints.recording import Recording
from fxanchor.breakpoints.session import Outcome, run_session
from fxanchor.breakpoints.watch import Watcher
from fxanchor.errors import UsageError

PROGRAM = """
def depth(tree, name="root"):
    found = 0
    for branch in tree:
        found = max(found, depth(branch, "branch"))
    return found + 1

def guarded(tree):
    try:
        return depth(tree)
    except Exception:
        return "swallowed"

def fail():
    raise ValueError("mine\\nsecond line")
"""

Play = Callable[..., tuple[Outcome, str]]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """Return a function that types commands into a session and returns how it went, with what was shown."""
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    names = runpy.run_path(str(path))
    monkeypatch.chdir(tmp_path)

    def run(
        typed: str,
        line: int = 3,
        calls: frozenset[int] | None = None,
        watches: tuple[str, ...] = (),
        when: str = "",
        function: str = "depth",
        args: tuple[object, ...] = ([[], [[]]],),
        recording: Recording = RECORDING,
    ) -> tuple[Outcome, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        stop = PlannedStop("depth", str(path), "program.py", line, watches, calls, ("first", "second"))
        outcome = run_session(lambda: names[function](*args), [stop], Watcher(recording), "pdb", when)
        return outcome, capsys.readouterr().out

    return run


def test_it_opens_at_every_call_of_a_recursive_function(play: Play) -> None:
    outcome, shown = play("c\n" * 9)
    assert outcome == Outcome(4, False)
    assert shown.count("depth  ·  program.py:3  ·  call") == 4


def test_it_opens_once_in_a_call_that_reaches_the_line_again(play: Play) -> None:
    outcome, _ = play("c\n" * 9, line=5)
    assert outcome.stopped == 2


def test_it_opens_at_the_chosen_calls_only(play: Play) -> None:
    outcome, shown = play("c\n" * 9, calls=frozenset({1, 3}))
    assert outcome.stopped == 2
    assert "call 2  ·  second" in shown
    assert "call 4" in shown
    assert "call 1" not in shown


def test_calls_are_counted_while_stepping_too(play: Play) -> None:
    outcome, shown = play("s\n" * 6 + "c\n" * 3, calls=frozenset({0, 3}))
    assert outcome.stopped == 2
    assert "call 4" in shown


def test_a_condition_must_hold(play: Play) -> None:
    outcome, shown = play("c\n" * 9, when='name == "root"')
    assert outcome == Outcome(1, False)
    assert "call 1" in shown


def test_a_condition_that_raises_never_holds_and_is_told(play: Play) -> None:
    outcome, _ = play("", when="nope > 1")
    assert outcome.stopped == 0
    assert outcome.notes == ("The condition raised NameError: name 'nope' is not defined (4 times).",)


def test_a_condition_that_never_holds_is_told(play: Play) -> None:
    outcome, _ = play("", when='name == "leaf"')
    assert outcome.stopped == 0
    assert outcome.notes == ("""The condition 'name == "leaf"' held at none of the 4 visits that it was asked at.""",)


def test_a_condition_that_would_record_is_refused(play: Play) -> None:
    tape = Tape()
    outcome, _ = play("", when="name.shape == 3", args=([], tape.write("a")))
    assert outcome.stopped == 0
    assert "look at .step instead" in outcome.notes[0]
    assert len(tape.steps) == 1


def test_watches_are_shown_and_follow_the_steps(play: Play) -> None:
    _, shown = play("n\nn\nn\nc\nq\n", watches=("name", "sorted(locals())", "nope"), args=([],))
    assert "display name: 'root'" in shown
    assert "display nope: raises NameError" in shown
    assert "display sorted(locals()): ['found', 'name', 'tree']  [old: ['name', 'tree']]" in shown


def test_a_display_that_a_person_adds_does_not_record_either(play: Play) -> None:
    tape = Tape()
    box = tape.write("a")
    _, shown = play("display name.shape\nn\nn\nc\n", args=([], box))
    assert "refused: .shape of a Box would record a node" in shown
    assert "name: what is done to it is recorded; look at name.step, not at name.shape" in shown
    assert len(tape.steps) == 1


@pytest.mark.parametrize("typed", ["q\n", "exit\n", "", "n\ns\nq\n"])
def test_leaving_is_quiet(play: Play, typed: str) -> None:
    outcome, shown = play(typed)
    assert outcome == Outcome(1, True)
    assert "Traceback" not in shown
    assert "BdbQuit" not in shown


def test_leaving_is_quiet_when_the_program_swallows_it(play: Play) -> None:
    outcome, _ = play("q\n", function="guarded")
    assert outcome == Outcome(1, True)


def test_an_error_of_the_program_is_told_on_one_line(play: Play) -> None:
    outcome, _ = play("c\n", function="fail", line=15, args=())
    assert outcome == Outcome(1, False, "ValueError: mine")


def test_nothing_is_left_behind(play: Play) -> None:
    before = sys.gettrace(), signal.getsignal(signal.SIGINT)
    for typed in ("q\n", "c\n" * 9, "b 5\nc\nc\nc\nc\nc\nc\nc\nc\n"):
        play(typed)
        assert (sys.gettrace(), signal.getsignal(signal.SIGINT)) == before
        assert bdb.Breakpoint.bpbynumber == [None]


def test_a_breakpoint_that_a_person_adds_stops(play: Play) -> None:
    outcome, shown = play("b 6\nc\nq\n", args=([],))
    assert outcome.stopped == 1
    assert "program.py(6)depth()" in shown


def test_a_debugger_that_is_missing_is_named(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pudb.debugger", None)
    monkeypatch.setitem(sys.modules, "pudb", None)
    with pytest.raises(UsageError, match="pudb is not installed; install pudb, or use --debugger pdb"):
        run_session(lambda: None, [], Watcher(RECORDING), "pudb")


def test_a_line_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "short.py"
    path.write_text("x = 1\n", encoding="utf-8")
    stop = PlannedStop("short", str(path), "short.py", 99)
    with pytest.raises(UsageError, match=r"short\.py:99 cannot be stopped on"):
        run_session(lambda: None, [stop], Watcher(RECORDING), "pdb")
