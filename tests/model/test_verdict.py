"""What is said of a process that ended in the middle names what was running, and advises what can help there."""

import pytest

from fxanchor.model.verdict import judge


@pytest.mark.parametrize(
    ("phase", "said", "advice"),
    [
        ("importing net.py", "while importing net.py, without an exception;", "if __name__"),
        ("building Net()", "while building Net(), without an exception;", "out of the constructor"),
        ("proving the breakpoints", "while its forward ran (proving the breakpoints), without", "out of the model"),
        ("capturing the model", "while its forward ran (capturing the model), without", "out of the model"),
        ("running the pass fuse", "while running the pass fuse, without an exception;", "take what does that"),
    ],
)
@pytest.mark.parametrize("code", [0, 3])
def test_a_process_that_ends_without_an_exception(phase: str, said: str, advice: str, code: int) -> None:
    verdict = judge({}, phase=phase, returned=code, in_time=True, seconds=1.0, memory_bytes=None, printed="")
    assert verdict.end == "exited"
    assert f"exit code {code} {said}" in verdict.sentence
    assert advice in verdict.sentence


def test_an_exit_that_was_raised_is_not_called_one_without_an_exception() -> None:
    records = {"exit": {"code": 2}}
    verdict = judge(records, phase="x", returned=0, in_time=True, seconds=1.0, memory_bytes=None, printed="")
    assert "exit code 2 while x;" in verdict.sentence
