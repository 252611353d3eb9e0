"""A prover counts calls by frame and stops by line, in programs that say themselves what is to be counted."""

import re
import runpy
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from helpers.tape import RECORDING, Tape

from fxanchor.breakpoints import prove as prove_module
from fxanchor.breakpoints.lines import stop_at
from fxanchor.breakpoints.listen import Listener, MonitoringListener, SettraceListener, Targets
from fxanchor.breakpoints.listen import make_listener as choose_listener
from fxanchor.breakpoints.proof import Wanted
from fxanchor.breakpoints.prove import Prover
from fxanchor.model.report import Trigger
from fxanchor.source.definition import Stop

PROGRAMS = sorted((Path(__file__).parents[1] / "cases" / "breakpoints" / "programs").glob("*.py"))
EXPECTED = re.compile(r"#\s(?:(\d+) calls, (\d+) stops|(not reached))$")
LISTENERS: list[type[Listener]] = [SettraceListener]
if sys.version_info >= (3, 12):
    LISTENERS.append(MonitoringListener)


@pytest.fixture(params=LISTENERS, ids=lambda kind: kind.__name__, autouse=True)
def listener(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    kind = request.param

    def make(targets: Targets) -> Listener:
        made: Listener = kind(targets)
        return made

    monkeypatch.setattr(prove_module, "make_listener", make)
    yield


def no_trigger(_frame: FrameType) -> None:
    return None


def wanted_of(path: Path) -> list[tuple[Wanted, tuple[int, int]]]:
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if match := EXPECTED.search(line):
            wanted = Wanted(f"line {number}", stop_at(path, number, path.name))
            found.append((wanted, (int(match[1] or 0), int(match[2] or 0))))
    return found


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_calls_and_stops_are_counted(path: Path) -> None:
    cases = wanted_of(path)
    assert cases
    run = runpy.run_path(str(path))["run"]
    with Prover([wanted for wanted, _ in cases], path.parent, no_trigger) as prover:
        run()
    counted = {proof.wanted.concept: (proof.hits, proof.stops) for proof in prover.proofs()}
    assert counted == {wanted.concept: expected for wanted, expected in cases}
    assert all((proof.kind == "hit") == (proof.hits > 0) for proof in prover.proofs())


def test_two_provers_one_after_the_other_count_for_themselves() -> None:
    path = PROGRAMS[0]
    cases = wanted_of(path)
    run = runpy.run_path(str(path))["run"]
    for _ in range(2):
        with Prover([wanted for wanted, _ in cases], path.parent, no_trigger) as prover:
            run()
        assert [(proof.hits, proof.stops) for proof in prover.proofs()] == [expected for _, expected in cases]


def program(tmp_path: Path, text: str) -> tuple[Path, dict[str, Any]]:
    path = tmp_path / "program.py"
    path.write_text(text, encoding="utf-8")
    return path, runpy.run_path(str(path))


def test_what_is_not_reached_and_what_cannot_be_is_said_with_its_reason(tmp_path: Path) -> None:
    path, _ = program(tmp_path, "def f():\n    return 1\n")
    never = Wanted("never", stop_at(path, 2, "p"), unreached="nothing calls it")
    unexplained = Wanted("unexplained", stop_at(path, 2, "p"))
    compiled = Wanted("compiled", Stop("C.f", "c.so", 0, 0, "it is compiled"))
    with Prover([never, unexplained, compiled], tmp_path, no_trigger) as prover:
        pass
    shown = [(proof.kind, proof.hits, proof.reason) for proof in prover.proofs(otherwise="the run ended")]
    assert shown == [
        ("not reached", 0, "nothing calls it"),
        ("not reached", 0, "the run ended"),
        ("not executable", 0, "it is compiled"),
    ]
    stopped = prover.proofs(otherwise="it stopped early", stopped=True)
    assert stopped[0].reason == "it stopped early"


def test_the_first_trigger_is_kept(tmp_path: Path) -> None:
    path, names = program(tmp_path, "def f(x):\n    return x\n")
    asked: list[object] = []

    def trigger_of(frame: FrameType) -> Trigger | None:
        asked.append(frame.f_locals["x"])
        return Trigger("p.py", frame.f_locals["x"], 1, 0, 1, "x") if frame.f_locals["x"] > 1 else None

    with Prover([Wanted("f", stop_at(path, 2, "p"))], tmp_path, trigger_of) as prover:
        for value in range(5):
            names["f"](value)
    (proof,) = prover.proofs()
    assert proof.first_trigger is not None
    assert proof.first_trigger.line == 2
    assert asked == [0, 1, 2]


def test_watches_are_looked_at_on_the_first_hit_only_and_what_they_call_is_not_counted(tmp_path: Path) -> None:
    text = "def g(x):\n    return x + 1\n\ndef f(x):\n    y = g(x)\n    return y\n"
    path, names = program(tmp_path, text)
    inside = Wanted("g", stop_at(path, 2, "p"))
    after = Wanted("f", stop_at(path, 6, "p"), ("x", "g(x) == y", "nope"))
    with Prover([inside, after], tmp_path, no_trigger) as prover:
        names["f"](1)
        names["f"](2)
    counted, watched = prover.proofs()
    assert counted.hits == 2
    assert [(seen.expression, seen.value) for seen in watched.watch] == [
        ("x", "1"),
        ("g(x) == y", "True"),
        ("nope", "raises NameError"),
    ]


@pytest.mark.parametrize("expression", ["box.shape", "box + 1", "tape.write('seen')", "box == box"])
def test_what_is_recorded_is_the_same_with_and_without_watching(tmp_path: Path, expression: str) -> None:
    path, names = program(tmp_path, "def f(tape):\n    box = tape.write('a')\n    return box + box\n")
    taped = []
    for watching in (False, True):
        tape = Tape()
        wanted = Wanted("f", stop_at(path, 3, "p"), (expression, "box"))
        with Prover([wanted], tmp_path, no_trigger, RECORDING, watching=watching) as prover:
            names["f"](tape)
        taped.append([step.name for step in tape.steps])
        if watching:
            refused, shown = prover.proofs()[0].watch
            assert refused.value.startswith("refused: ")
            assert shown.value == "Box(a)"
    assert taped == [["a", "add"], ["a", "add"]]


def test_the_cause_of_the_run_gets_its_own_exception(tmp_path: Path) -> None:
    path, names = program(tmp_path, "def f():\n    raise ValueError('mine')\n")
    prover = Prover([Wanted("f", stop_at(path, 2, "p"))], tmp_path, no_trigger)
    with pytest.raises(ValueError, match="mine"), prover:
        names["f"]()
    assert prover.proofs()[0].hits == 1


def test_a_trace_function_that_was_there_goes_on_and_is_put_back(tmp_path: Path) -> None:
    path, names = program(tmp_path, "def f():\n    a = 1\n    return a\n")
    seen: list[tuple[str, int]] = []

    def other(frame: FrameType, event: str, _arg: object) -> Any:
        if frame.f_code.co_filename == str(path):
            seen.append((event, frame.f_lineno))
        return other

    before, before_threads = sys.gettrace(), threading.gettrace()
    sys.settrace(other)
    try:
        with Prover([Wanted("f", stop_at(path, 3, "p"))], tmp_path, no_trigger) as prover:
            names["f"]()
        assert sys.gettrace() is other
    finally:
        sys.settrace(before)
    assert prover.proofs()[0].hits == 1
    assert seen == [("call", 1), ("line", 2), ("line", 3), ("return", 3)]
    assert threading.gettrace() is before_threads


def test_a_program_that_sets_its_own_trace_function_keeps_it(tmp_path: Path) -> None:
    path, names = program(tmp_path, "import sys\ndef f(t):\n    sys.settrace(t)\n    return 1\n")

    def mine(_frame: FrameType, _event: str, _arg: object) -> None:
        return None

    before = sys.gettrace()
    try:
        with Prover([Wanted("f", stop_at(path, 4, "p"))], tmp_path, no_trigger):
            names["f"](mine)
        assert sys.gettrace() is mine
    finally:
        sys.settrace(before)


def test_a_file_reached_through_a_link_is_found(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (real / "program.py").write_text("def f():\n    return 1\n", encoding="utf-8")
    (tmp_path / "link").symlink_to(real)
    names = runpy.run_path(str(tmp_path / "link" / "program.py"))
    wanted = Wanted("f", Stop("f", "program.py", 2, 1))
    with Prover([wanted], real, no_trigger) as prover:
        names["f"]()
    assert prover.proofs()[0].hits == 1


@pytest.mark.skipif(sys.version_info < (3, 12), reason="sys.monitoring came with Python 3.12")
def test_without_a_free_tool_number_the_trace_function_is_used() -> None:
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
    free = [number for number in range(6) if monitoring.get_tool(number) is None]
    for number in free:
        monitoring.use_tool_id(number, "test")
    try:
        assert isinstance(choose_listener(Targets({}, Path())), SettraceListener)
    finally:
        for number in free:
            monitoring.free_tool_id(number)
    assert isinstance(choose_listener(Targets({}, Path())), MonitoringListener)


SWITCHED_OFF = """
def before():
    return 1


def after():
    return 2


def run(switch_off, put_back):
    before()
    switch_off()
    after()
    put_back()
"""


def _off_and_on(kind: type[Listener]) -> list[tuple[str, Callable[[], object], Callable[[], object]]]:
    if kind is SettraceListener:
        kept: list[Any] = []

        def switch_off() -> None:
            kept.append(sys.gettrace())
            sys.settrace(None)

        return [("sys.settrace", switch_off, put_back) for put_back in (int, lambda: sys.settrace(kept.pop()))]
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]

    def tool() -> int:
        return next(number for number in range(6) if monitoring.get_tool(number) == "fxanchor")

    return [
        ("sys.monitoring.set_events", lambda: monitoring.set_events(tool(), 0), int),
        ("sys.monitoring.free_tool_id", lambda: monitoring.free_tool_id(tool()), int),
    ]


def test_a_program_that_switches_watching_off_leaves_open_what_comes_after(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    path = tmp_path / "p.py"
    path.write_text(SWITCHED_OFF, encoding="utf-8")
    run = runpy.run_path(str(path))["run"]
    wanted = [
        Wanted("before", stop_at(path, 3, "p")),
        Wanted("after", stop_at(path, 7, "p"), unreached="nothing calls it"),
    ]
    for name, switch_off, put_back in _off_and_on(request.node.callspec.params["listener"]):
        trace = sys.gettrace()
        try:
            with Prover(wanted, tmp_path, no_trigger) as prover:
                run(switch_off, put_back)
        finally:
            sys.settrace(trace)
        assert [(proof.kind, proof.hits) for proof in prover.proofs()] == [("hit", 1), ("not watched", 0)]
        assert prover.proofs()[1].reason == f"the model switched watching off: {name}"


def test_threads_and_provers_that_begin_and_end_switch_nothing_off(tmp_path: Path) -> None:
    path = tmp_path / "p.py"
    path.write_text(SWITCHED_OFF, encoding="utf-8")
    wanted = [Wanted("after", stop_at(path, 7, "p"), unreached="nothing calls it")]
    with Prover(wanted, tmp_path, no_trigger) as prover:
        thread = threading.Thread(target=int)
        thread.start()
        thread.join()
    assert [(proof.kind, proof.reason) for proof in prover.proofs()] == [("not reached", "nothing calls it")]
