"""Where output goes: never over the paper or a device, through a link, to a reader that leaves, in any encoding."""

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.project import MODEL, PRIMER, ROOT, fxanchor

from fxanchor.cache import replacing

MAP = ("map", str(PRIMER), "-k", "Transformer")


def test_the_paper_is_not_overwritten(tmp_path: Path) -> None:
    paper = tmp_path / "paper.pdf"
    shutil.copy(PRIMER, paper)
    before = paper.read_bytes()
    run = fxanchor("map", str(paper), "-o", str(paper))
    assert run.returncode == 2
    assert "would be lost" in run.stderr
    assert paper.read_bytes() == before


@pytest.mark.parametrize("options", [("--export", "pdb", "-o"), ("--fix-out",), ("--graph",)])
@pytest.mark.parametrize("target", ["", ":TinyNet"])
def test_the_model_is_not_overwritten(options: tuple[str, ...], target: str, tmp_path: Path) -> None:
    model = tmp_path / "net.py"
    shutil.copy(MODEL, model)
    run = fxanchor("trace", f"{model}{target}", *options, str(model))
    assert run.returncode == 2
    assert "would be lost" in run.stderr
    assert model.read_bytes() == MODEL.read_bytes()


def test_trace_does_not_ignore_an_output_that_nothing_writes(tmp_path: Path) -> None:
    run = fxanchor("trace", str(MODEL), "-o", str(tmp_path / "trace.txt"))
    assert run.returncode == 2
    assert "--export" in run.stderr


@pytest.mark.parametrize("command", [MAP, ("sheet", str(PRIMER), "--only", "Proxy", "--no-labs")], ids=["map", "sheet"])
def test_a_pipe_is_written_to_and_stays_one(command: tuple[str, ...], tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True, encoding="utf-8") as reader:
        run = fxanchor(*command, "-o", str(pipe))
        received, _ = reader.communicate(timeout=60)
    assert run.returncode == 0, run.stderr
    assert "torch.fx" in received
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_pipe_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="Is not a file"), replacing(pipe) as temporary:
        temporary.write_text("x")
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    link, file = tmp_path / "link.md", tmp_path / "file.md"
    file.write_text("old")
    link.symlink_to(file)
    assert fxanchor(*MAP, "-o", str(link)).returncode == 0
    assert link.is_symlink()
    assert "torch.fx" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("form", ["table", "markdown", "json"])
def test_a_reader_that_leaves_is_no_fault(form: str) -> None:
    command = [sys.executable, "-m", "fxanchor", *MAP, "--format", form]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.close()
        assert run.wait(timeout=60) == 0
        assert not run.stderr.read()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
def test_a_full_disk_is_told_in_one_sentence() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "fxanchor", "lab", "list"]
        run = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert run.returncode == 3
    assert run.stderr.startswith("fxanchor: The output cannot be written (No space left on device).")
    assert run.stderr.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="needs a shell that closes streams")
@pytest.mark.parametrize("closed", [">&-", "<&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_fault(closed: str, tmp_path: Path) -> None:
    out, cache = tmp_path / "out.json", tmp_path / "cache"
    command = f'"{sys.executable}" -m fxanchor map "{PRIMER}" -o "{out}" {closed}'
    env = {**os.environ, "FXANCHOR_CACHE": str(cache)}
    run = subprocess.run(command, shell=True, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert not run.stderr
    assert json.loads(out.read_text(encoding="utf-8"))["schema"].startswith("fxanchor.map")


@pytest.mark.parametrize("form", ["table", "json"])
def test_a_terminal_of_few_letters_is_no_fault(form: str) -> None:
    run = fxanchor(*MAP[:2], "--format", form, env={"PYTHONIOENCODING": "ascii"})
    assert run.returncode == 0, run.stderr
    assert run.stdout.isascii()
    if form == "json":
        assert not json.dumps(json.loads(run.stdout), ensure_ascii=False).isascii()
