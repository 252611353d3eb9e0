"""Exports are taken by the debuggers and editors they are for, and stop there."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlparse
from xml.etree import ElementTree

import pexpect
import pytest
from helpers.dap import Client, end, free_port
from helpers.project import ROOT

from fxanchor.breakpoints.export.dap import dap_requests
from fxanchor.breakpoints.export.pdb import pdbrc
from fxanchor.breakpoints.export.point import Point, points_of
from fxanchor.breakpoints.export.pycharm import pycharm_xml
from fxanchor.breakpoints.export.quickfix import quickfix
from fxanchor.breakpoints.export.vscode import launch_json
from fxanchor.breakpoints.export.write import FORMATS, export
from fxanchor.breakpoints.proof import Proof, Wanted
from fxanchor.errors import UsageError
from fxanchor.source.definition import Stop

MODELS = Path(__file__).parents[1] / "cases" / "breakpoints" / "models"
SECONDS = 60
TARGET = """def first(x):
    y = x + 1
    return y


def second(x):
    return first(x) * 2


for number in range(2):
    second(number)
"""


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "a folder"
    folder.mkdir()
    path = folder / "target.py"
    path.write_text(TARGET, encoding="utf-8")
    return path


@pytest.fixture
def points(target: Path) -> tuple[Point, ...]:
    return (Point(target, 2, "one", "target.first", 2), Point(target, 7, "two", "target.second", 2))


# Both functions are called twice, the second calls the first.
STOPS = [7, 2, 7, 2]


def pythons() -> list[str]:
    names = [f"python3.{minor}" for minor in range(8, 15)]
    found = [sys.executable, *(path for name in names if (path := shutil.which(name)))]
    return [
        path for path in found if subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0
    ]


@pytest.mark.parametrize("python", pythons(), ids=lambda path: Path(path).name)
def test_pdb_takes_the_pdbrc_and_stops(python: str, points: tuple[Point, ...], tmp_path: Path) -> None:
    (tmp_path / ".pdbrc").write_text(pdbrc(points), encoding="utf-8")
    child = pexpect.spawn(
        python,
        ["-m", "pdb", str(points[0].path)],
        cwd=str(tmp_path),
        env=os.environ | {"HOME": str(tmp_path / "nowhere"), "TERM": "dumb"},
        encoding="utf-8",
        timeout=SECONDS,
        dimensions=(40, 400),
    )
    try:
        for number, point in enumerate(points, start=1):
            child.expect_exact(f"Breakpoint {number} at {point.path}:{point.line}")
        child.expect_exact("(Pdb) ")
        child.sendline("c")
        stops = []
        while child.expect([r"target\.py\((\d+)\)(?:first|second)\(\)", "finished and will be restarted"]) == 0:
            stops.append(int(child.match[1]))
            child.expect_exact("(Pdb) ")
            child.sendline("c")
        child.sendline("q")
        child.expect(pexpect.EOF)
    finally:
        child.close(force=True)
    assert stops == STOPS
    assert "***" not in (child.before or "")


def debugged(program: list[str], folder: Path, port: int) -> "subprocess.Popen[str]":
    """Start a program that waits for an editor."""
    return subprocess.Popen(
        [
            sys.executable,
            "-Xfrozen_modules=off",
            "-m",
            "debugpy",
            "--listen",
            f"127.0.0.1:{port}",
            "--wait-for-client",
            *program,
        ],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_a_dap_client_sets_the_breakpoints_and_sees_the_stops(points: tuple[Point, ...], target: Path) -> None:
    pytest.importorskip("debugpy")
    port = free_port()
    process = debugged([str(target)], target.parent, port)
    try:
        client = Client(port)
        requests = json.loads(dap_requests(points))
        answers, stops = client.session(requests)
        client.close()
        end(process)
    finally:
        process.kill()
    assert [point["verified"] for answer in answers for point in answer["breakpoints"]] == [True, True]
    assert [line for _, _, line in stops] == STOPS


def test_the_script_for_vscode_stops_at_its_own_breakpoints(target: Path, tmp_path: Path) -> None:
    pytest.importorskip("debugpy")
    model = (MODELS / "net.py").read_text(encoding="utf-8")
    (tmp_path / "net.py").write_text(model, encoding="utf-8")
    line = next(number for number, text in enumerate(model.splitlines(), start=1) if "torch.relu(x)" in text)
    points = (Point(tmp_path / "net.py", line, "my line", "net.Net.forward", 1), Point(target, 2, "never", "first", 1))
    launch, script = export("vscode", points, "net.py:Net", tmp_path / "editor" / "launch.json")
    configuration = json.loads(launch.read_text(encoding="utf-8"))["configurations"][0]
    assert configuration["program"] == str(script)
    assert configuration["justMyCode"] is False
    port = free_port()
    process = debugged([configuration["program"], *configuration["args"]], tmp_path, port)
    try:
        client = Client(port)
        _, stops = client.session()
        client.close()
        end(process)
    finally:
        process.kill()
    assert stops == [("forward", str(tmp_path / "net.py"), line)] or stops == [
        ("Net.forward", str(tmp_path / "net.py"), line)
    ]


def test_the_script_for_vscode_says_when_no_debugger_is_there(points: tuple[Point, ...], tmp_path: Path) -> None:
    pytest.importorskip("debugpy")
    _, script = export("vscode", points, "net.py", tmp_path / "launch.json")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 1
    assert "start this through Run and Debug in VS Code" in done.stderr


def test_the_script_for_vscode_runs_a_program_that_is_named(
    points: tuple[Point, ...], target: Path, tmp_path: Path
) -> None:
    pytest.importorskip("debugpy")
    _, script = export("vscode", points, "net.py", tmp_path / "launch.json")
    port = free_port()
    process = debugged([str(script), str(target)], tmp_path, port)
    try:
        client = Client(port)
        _, stops = client.session()
        client.close()
        end(process)
    finally:
        process.kill()
    assert [line for _, _, line in stops] == STOPS


def test_launch_json_names_what_it_runs(tmp_path: Path) -> None:
    document = json.loads(launch_json("net.py:Net", tmp_path / "stops.py", tmp_path))
    assert document["version"] == "0.2.0"
    assert document["configurations"][0]["type"] == "debugpy"


def test_pycharm_reads_files_and_lines_counted_from_0(points: tuple[Point, ...], target: Path) -> None:
    root = ElementTree.fromstring(pycharm_xml(points))
    assert root.tag == "project"
    found = root.findall("component[@name='XDebuggerManager']/breakpoint-manager/breakpoints/line-breakpoint")
    assert [point.get("type") for point in found] == ["python-line"] * 2
    assert [urlparse(point.findtext("url") or "").path for point in found] == [target.as_posix()] * 2
    assert [int(point.findtext("line") or "") + 1 for point in found] == [2, 7]


def test_vim_reads_the_quickfix_lines(points: tuple[Point, ...], tmp_path: Path) -> None:
    vim = shutil.which("vim")
    if vim is None:
        pytest.skip("vim is not installed")
    (tmp_path / "quickfix.txt").write_text(quickfix(points), encoding="utf-8")
    dump = (
        "call writefile([json_encode(map(getqflist(), '[bufname(v:val.bufnr), v:val.lnum, v:val.text]'))], 'out.json')"
    )
    done = subprocess.run(
        [vim, "-u", "NONE", "-es", "-q", "quickfix.txt", "-c", dump, "-c", "qa!"],
        cwd=tmp_path,
        capture_output=True,
        timeout=SECONDS,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert (tmp_path / "out.json").exists(), done
    entries = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert [(tmp_path / name, line) for name, line, _ in entries] == [(point.path, point.line) for point in points]
    assert entries[0][2].strip() == "one (target.first), 2 hits"


def test_quickfix_lines_are_those_that_emacs_knows(points: tuple[Point, ...]) -> None:
    # The `gnu` entry of Emacs' compilation-error-regexp-alist, without its optional parts.
    for line in quickfix(points).splitlines():
        assert re.match(r"^([^\n:]+):([1-9][0-9]*): ?(.+)$", line)


def test_only_what_was_hit_is_handed_over_and_each_line_once(tmp_path: Path) -> None:
    def proof(line: int, hits: int) -> Proof:
        wanted = Wanted(f"line {line}", Stop("m.f", "m.py", line, 1))
        return Proof(wanted, "hit" if hits else "not reached", hits, hits, (), None)

    found = points_of([proof(3, 1), proof(4, 0), proof(3, 2), proof(5, 7)], tmp_path)
    assert [(point.path, point.line, point.hits) for point in found] == [
        (tmp_path / "m.py", 3, 1),
        (tmp_path / "m.py", 5, 7),
    ]


@pytest.mark.parametrize("form", FORMATS)
def test_each_form_is_written_where_it_is_wanted(
    form: str, points: tuple[Point, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = export(form, points, "net.py", tmp_path / "new" / "file")
    assert files[0] == tmp_path / "new" / "file"
    assert all(file.stat().st_size for file in files)
    assert export(form, points, "net.py", tmp_path / "new" / "file") == files


@pytest.mark.parametrize(
    ("form", "output", "sentence"),
    [
        ("nano", None, "choose one of pdb, vscode, pycharm, dap, vim, emacs"),
        ("pycharm", None, "needs a file to write to; name it with -o FILE"),
        ("vim", None, "needs a file to write to; name it with -o FILE"),
        ("pycharm", ".idea/misc.xml", "name a file elsewhere"),
        ("pdb", None, "was not written by fxanchor; name another file with -o FILE"),
    ],
)
def test_what_cannot_be_written_is_refused(
    form: str,
    output: str | None,
    sentence: str,
    points: tuple[Point, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".pdbrc").write_text("alias p1 p\n", encoding="utf-8")
    with pytest.raises(UsageError, match=re.escape(sentence)):
        export(form, points, "net.py", Path(output) if output else None)
    assert not (tmp_path / ".idea").exists()
    assert (tmp_path / ".pdbrc").read_text(encoding="utf-8") == "alias p1 p\n"


def test_our_own_file_is_replaced(points: tuple[Point, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for form in ("pdb", "vscode", "dap"):
        assert export(form, points, "net.py") == export(form, points[:1], "net.py")


def test_nothing_hit_is_nothing_to_hand_over(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No breakpoint was hit"):
        export("pdb", (), "net.py", tmp_path / "rc")


@pytest.mark.parametrize("name", ["a,b.py", "a;;b.py", "ends .py "])
def test_a_path_that_pdb_cannot_take_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="use another --export"):
        pdbrc([Point(tmp_path / name, 1, "c", "s", 1)])
