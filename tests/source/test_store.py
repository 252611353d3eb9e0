import os
import subprocess
import sys
from pathlib import Path

import pytest

from fxanchor import cache
from fxanchor.source import child, extract, worker
from fxanchor.source.files import list_files
from fxanchor.source.index import Index, open_index
from fxanchor.source.worker import read_all

SAMPLE = Path(__file__).parents[1] / "cases" / "source" / "package"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree" / "tide"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("ONE = 1\n")
    (folder / "low.py").write_text("def ebb():\n    return 1\n")
    return folder


def opened(tree: Path) -> Index:
    return open_index(["tide"], source=tree.parent)


def entry() -> Path:
    (path,) = (cache.directory() / "index").glob("*.sqlite")
    return path


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are parsed from now on."""
    read: list[str] = []

    def counted(source: bytes, module: str, file: str, is_package: bool, stub: bytes | None) -> object:
        read.append(file)
        return extract.extract(source, module, file, is_package, stub)

    monkeypatch.setattr(worker, "extract", counted)
    return read


def test_warm_reads_nothing(tree: Path, reads: list[str]) -> None:
    opened(tree)
    assert reads == ["tide/__init__.py", "tide/low.py"]
    assert opened(tree).resolve("tide.low.ebb")
    assert len(reads) == 2


def test_a_changed_file_is_read_again(tree: Path, reads: list[str]) -> None:
    opened(tree)
    (tree / "low.py").write_text("def flow():\n    return 1\n")
    index = opened(tree)
    assert index.resolve("tide.low.flow")
    assert index.resolve("tide.low.ebb") is None
    assert len(reads) == 4


def test_a_change_of_time_alone_counts(tree: Path, reads: list[str]) -> None:
    opened(tree)
    os.utime(tree / "low.py", ns=(1, 1))
    opened(tree)
    assert len(reads) == 4


def test_a_stub_counts_with_the_file_beside_it(tree: Path, reads: list[str]) -> None:
    (tree / "low.py").write_text("from ._fast import ebb\n")
    assert opened(tree).resolve("tide.low.ebb") is None
    (tree / "low.pyi").write_text("def ebb() -> int: ...\n")
    found = opened(tree).resolve("tide.low.ebb")
    assert found
    assert found.file == "tide/low.pyi"
    (tree / "low.pyi").write_text("def flow( -> broken\n")
    index = opened(tree)
    assert index.resolve("tide.low.ebb") is None
    assert index.resolve("tide.low")
    assert reads == ["tide/__init__.py", "tide/low.py"] * 3


def test_a_new_and_a_removed_file_count(tree: Path) -> None:
    opened(tree)
    (tree / "high.py").write_text("def flow(): ...\n")
    (tree / "low.py").unlink()
    index = opened(tree)
    assert index.resolve("tide.high.flow")
    assert index.resolve("tide.low") is None


def test_another_version_of_the_package_counts(tree: Path, reads: list[str]) -> None:
    info = tree.parent / "tide-1.0.dist-info"
    info.mkdir()
    (info / "RECORD").write_text("tide/__init__.py,,\n")
    for version in ("1.0", "1.1"):
        (info / "METADATA").write_text(f"Name: tide\nVersion: {version}\n")
        assert opened(tree).packages[0].version == version
    assert len(reads) == 4


def test_another_version_of_fxanchor_counts(tree: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    opened(tree)
    monkeypatch.setattr(cache, "__version__", "99.0")
    opened(tree)
    assert len(reads) == 4
    assert entry().is_file()


@pytest.mark.parametrize("damage", [b"", b"garbage" * 1000, None])
def test_a_damaged_entry_is_built_again(tree: Path, damage: bytes | None) -> None:
    opened(tree)
    content = entry().read_bytes()
    entry().write_bytes(content[: len(content) // 2] if damage is None else damage)
    assert opened(tree).resolve("tide.low.ebb")
    assert len(entry().read_bytes()) == len(content)


def test_damage_that_shows_only_when_read(tree: Path) -> None:
    opened(tree)
    content = bytearray(entry().read_bytes())
    index = opened(tree)
    # Every page but the first, which opening looks at.
    content[4096:] = b"\xff" * (len(content) - 4096)
    entry().write_bytes(content)
    assert opened(tree).resolve("tide.low.ebb")
    assert index.resolve("tide.low.ebb")


def test_an_unwritable_cache(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FXANCHOR_CACHE", str(tmp_path / "file" / "cache"))
    assert opened(tree).resolve("tide.low.ebb")


def test_several_processes_share_it(tree: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from fxanchor.source.index import open_index;"
        "print(open_index(['tide'], source=Path(sys.argv[1])).resolve('tide.low.ebb').line)"
    )
    command = [sys.executable, "-c", code, str(tree.parent)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [process.communicate(timeout=60)[0] for process in running] == ["1\n"] * 3
    assert [path.name[0] for path in entry().parent.iterdir()] == ["t"]


def test_processes_read_what_one_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    files = list_files(SAMPLE, SAMPLE / "sample", "sample")
    steps: list[tuple[int, int]] = []
    alone = sorted(read_all(files, "", lambda *_: None))
    monkeypatch.setattr(worker, "ALONE_BYTES", 1)
    monkeypatch.setattr(worker, "CHUNK_BYTES", 2000)
    monkeypatch.setattr(worker, "_processors", lambda: 2)
    together = sorted(read_all(files, "reading", lambda _, done, total: steps.append((done, total))))
    assert together == alone
    assert len(alone) == len(files) - 1  # one file cannot be parsed
    assert steps[-1] == (len(files), len(files))
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)


def test_a_file_that_kills_its_reader_is_left_out(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = list_files(tree.parent, tree, "tide")
    start = "import os; from fxanchor.source import worker; read = worker._read\n"
    start += "worker._read = lambda path, *rest: os._exit(9) if path.endswith('low.py') else read(path, *rest)\n"
    monkeypatch.setattr(
        child, "_START", child._START.replace("from {module}", start.replace("\n", ";") + "from {module}", 1)
    )
    monkeypatch.setattr(worker, "ALONE_BYTES", 1)
    monkeypatch.setattr(worker, "_processors", lambda: 2)
    assert [rows.module for rows in read_all(files, "", lambda *_: None)] == ["tide"]
