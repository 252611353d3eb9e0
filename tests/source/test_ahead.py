"""The index that is made while the paper is read."""

import os
from pathlib import Path

import pytest

from fxanchor import cache
from fxanchor.errors import UsageError
from fxanchor.progress import silent
from fxanchor.source import child, worker
from fxanchor.source.ahead import index_ahead
from fxanchor.source.index import open_index

FILES = 60


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree" / "tide"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("ONE = 1\n")
    for number in range(FILES):
        (folder / f"low{number}.py").write_text("def ebb():\n    return 1\n" * 200)
    return folder


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that this process itself parses from now on."""
    read: list[str] = []
    monkeypatch.setattr(worker, "extract", lambda source, module, *rest: read.append(module))
    return read


def entries() -> list[str]:
    return sorted(path.name for path in (cache.directory() / "index").glob("*"))


def test_another_process_makes_it(tree: Path, here: list[str]) -> None:
    steps: list[tuple[str, int, int]] = []
    with index_ahead(["tide"], source=tree.parent) as opened:
        index = opened(lambda *step: steps.append(step))
    assert index.resolve("tide.low7.ebb")
    assert not here
    assert steps
    assert all(label == "reading tide" and 0 <= done <= total == FILES + 1 for label, done, total in steps)
    (entry,) = entries()
    assert entry.startswith("tide-")


def test_nothing_is_started_for_what_is_kept(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_index(["tide"], source=tree.parent)
    monkeypatch.setattr(child, "start", lambda module: pytest.fail(f"started {module}"))
    with index_ahead(["tide"], source=tree.parent) as opened:
        assert opened(silent).resolve("tide.low7.ebb")


@pytest.mark.parametrize("start", ["raise SystemExit(3)", "import os; os.kill(os.getpid(), 9)", "not Python"])
def test_what_the_other_process_cannot_make_is_made_here(
    tree: Path, monkeypatch: pytest.MonkeyPatch, start: str
) -> None:
    monkeypatch.setattr(child, "_START", start)
    with index_ahead(["tide"], source=tree.parent) as opened:
        assert opened(silent).resolve("tide.low7.ebb")


def test_a_process_that_cannot_be_started(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child.sys, "executable", "/nonexistent")  # type: ignore[attr-defined]
    with index_ahead(["tide"], source=tree.parent) as opened:
        assert opened(silent).resolve("tide.low7.ebb")


def test_an_error_on_the_way_ends_it_and_leaves_no_part(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = "import time; from fxanchor.source import worker; read = worker.extract\n"
    slow += "worker.extract = lambda *given: time.sleep(0.2) or read(*given)\n"
    monkeypatch.setattr(
        child, "_START", child._START.replace("from {module}", slow.replace("\n", ";") + "from {module}", 1)
    )
    started: list[int] = []
    begin = child.start

    def noted(module: str) -> object:
        process = begin(module)
        started.append(process.pid)
        return process

    monkeypatch.setattr(child, "start", noted)
    with pytest.raises(RuntimeError), index_ahead(["tide"], source=tree.parent):
        while not entries():
            pass
        raise RuntimeError
    assert entries() == []
    with pytest.raises(ProcessLookupError):
        os.kill(started[0], 0)


def test_an_unknown_package_is_told_before_the_block() -> None:
    with pytest.raises(UsageError), index_ahead(["no_such_package_here"]):
        pytest.fail("the block has begun")
