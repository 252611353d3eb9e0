"""A child process ends within its limits, is reported in one sentence, and leaves nothing behind."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fxanchor.errors import InputError, UsageError
from fxanchor.model.process import ChildResult, run_child

HELPERS = Path(__file__).parents[1] / "helpers"
CASES = sorted((Path(__file__).parents[1] / "cases" / "load" / "hostile").glob("*.py"))
SECONDS = 2.0
MEMORY = 2**28

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")


@pytest.fixture(autouse=True)
def mark(monkeypatch: pytest.MonkeyPatch) -> str:
    """Mark every process that is started from here, so that one left behind is found."""
    value = uuid.uuid4().hex
    monkeypatch.setenv("FXANCHOR_TEST_MARK", value)
    monkeypatch.setenv("PYTHONPATH", str(HELPERS))
    return value


def left_behind(mark: str) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal() or int(entry.name) == os.getpid():
            continue
        try:
            environment = (entry / "environ").read_bytes()
            state = (entry / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
        except OSError:
            continue
        if mark.encode() in environment and state not in "ZX":
            found.append(int(entry.name))
    return found


def child(path: Path, **options: Any) -> ChildResult:
    settings: dict[str, Any] = {"seconds": SECONDS, "memory_bytes": MEMORY} | options
    return run_child("hostile_entry", {"path": str(path), "value": 7}, **settings)


def sleepers() -> set[int]:
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if (entry / "cmdline").read_bytes() == b"/bin/sleep\x001000\x00":
                found.add(int(entry.name))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_hostile_file_ends_in_one_sentence_and_leaves_nothing(path: Path, tmp_path: Path, mark: str) -> None:
    expected = tomllib.loads(path.with_suffix(".toml").read_text(encoding="utf-8"))
    copy = Path(shutil.copy(path, tmp_path))
    before = sleepers()
    started = time.monotonic()
    result = child(copy)
    # The limit, the time that stopping takes at most, and what a busy machine adds.
    assert time.monotonic() - started < SECONDS + 14
    assert left_behind(mark) == []
    assert sleepers() <= before
    assert result.end in expected.get("ends", [expected.get("end")]), result
    if result.end == "ok":
        assert result.value == {"value": 7}
        assert result.sentence == ""
    else:
        assert result.value is None
        assert result.sentence.endswith(".")
        assert "\n" not in result.sentence
        assert result.sentence.isprintable()
    assert expected.get("says", "") in result.sentence
    assert expected.get("code", result.code) == result.code
    assert expected.get("prints", result.printed) == result.printed
    assert expected.get("printed_bytes", result.printed_bytes) == result.printed_bytes
    assert len(result.printed) <= expected.get("most_printed", 1000)


def test_deleting_itself_deletes_only_the_file(tmp_path: Path) -> None:
    copy = Path(shutil.copy(next(path for path in CASES if path.stem == "deletes_itself"), tmp_path))
    assert child(copy).end == "ok"
    assert not copy.exists()


def test_phases_are_told_in_order(tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    path.write_text("", encoding="utf-8")
    told: list[str] = []
    result = child(path, progress=lambda label, _done, _total: told.append(label))
    assert told == ["importing net.py", "building Net"]
    assert result.phase == "building Net"
    assert result.unwrap() == {"value": 7}


def test_errors_of_the_entry_come_back_as_they_are() -> None:
    result = run_child("hostile_entry:refuse", {}, seconds=20, memory_bytes=None)
    assert result.end == "error"
    with pytest.raises(UsageError, match=r"^There are two; choose one\.$"):
        result.unwrap()


@pytest.mark.parametrize("entry", ["hostile_entry:unserialisable", "hostile_entry:absent", "no_such_entry"])
def test_faults_have_a_sentence_and_a_traceback(entry: str) -> None:
    result = run_child(entry, {}, seconds=20, memory_bytes=None)
    assert result.end == "fault"
    assert "Traceback" in result.details
    assert ("fxanchor itself failed" in result.sentence) == (entry == "hostile_entry:absent")
    with pytest.raises(InputError, match="--debug"):
        result.unwrap()


def test_a_phase_can_have_its_own_limit() -> None:
    started = time.monotonic()
    result = run_child("hostile_entry:own_limit", {}, seconds=60, memory_bytes=None)
    assert result.end == "timed out"
    assert "while thinking" in result.sentence
    assert time.monotonic() - started < 20


def test_the_working_directory_is_not_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "net.py"
    path.write_text("import json, numbers; assert json.dumps and numbers.Number", encoding="utf-8")
    for name in ("json.py", "numbers.py", "torch.py"):
        (tmp_path / name).write_text("raise RuntimeError('from the working directory')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert child(path).end == "ok"


def test_no_byte_code_is_written_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("", encoding="utf-8")
    path = tmp_path / "net.py"
    path.write_text(f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import beside", encoding="utf-8")
    assert child(path).end == "ok"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["beside.py", "net.py"]


def test_the_network_can_be_allowed(tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    path.write_text("import socket; socket.getaddrinfo('127.0.0.1', 80)", encoding="utf-8")
    assert child(path).end == "fault"
    assert child(path, network=True).end == "ok"


def test_programs_that_the_model_starts_have_no_network(tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = f"import socket; socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), timeout=5)"
        path.write_text(f"import subprocess, sys; print(subprocess.call([sys.executable, '-c', {code!r}]))", "utf-8")
        assert child(path, network=True).printed == "0\n"
        refused = child(path)
        if refused.printed == "0\n":
            pytest.skip("this system does not let a process have a network of its own")
    assert "OSError" in refused.printed or "ConnectionRefusedError" in refused.printed


@pytest.fixture
def parent(tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    path = tmp_path / "net.py"
    path.write_text(
        "import os, time, pathlib\n"
        "if not os.fork():\n    os.setsid()\n    time.sleep(1000)\n"
        f"pathlib.Path({str(tmp_path / 'started')!r}).touch()\n"
        "while True: pass\n",
        encoding="utf-8",
    )
    code = (
        "from fxanchor.model.process import run_child\n"
        f"run_child('hostile_entry', {{'path': {str(path)!r}}}, seconds=60, memory_bytes=None)"
    )
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL, env=environment)
    deadline = time.monotonic() + 30
    while not (tmp_path / "started").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    yield process
    process.kill()
    process.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_when_the_parent_is_interrupted(
    parent: "subprocess.Popen[bytes]", number: signal.Signals, mark: str, tmp_path: Path
) -> None:
    assert len(left_behind(mark)) >= 4
    parent.send_signal(number)
    parent.wait(20)
    deadline = time.monotonic() + 10
    while left_behind(mark) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert left_behind(mark) == []
    assert list(tmp_path.glob("fxanchor-*")) == []
