import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from fxanchor.errors import InputError, UsageError
from fxanchor.source import archive
from fxanchor.source.index import open_index
from fxanchor.source.locate import find_package

METADATA = "Metadata-Version: 2.1\nName: tide\nVersion: 2.5\n\n"


def wheel(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, text in files.items():
            opened.writestr(name, text)
    return path


def sdist(path: Path, files: dict[str, str]) -> Path:
    with tarfile.open(path, "w:gz") as opened:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            opened.addfile(info, io.BytesIO(text.encode()))
    return path


def unpacked(tmp_path: Path) -> list[str]:
    folder = tmp_path / "cache" / "unpacked"
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return [path.relative_to(folder).as_posix().partition("/")[2] for path in files]


def test_wheel(tmp_path: Path) -> None:
    files = {"tide/__init__.py": "def ebb(): ...\n", "tide/data.bin": "x", "tide-2.5.dist-info/METADATA": METADATA}
    files["tide-2.5.dist-info/RECORD"] = "tide/__init__.py,,\n"
    path = wheel(tmp_path / "tide-2.5-py3-none-any.whl", files)
    index = open_index(["tide"], source=path)
    assert index.resolve("tide.ebb")
    assert index.packages[0].version == "2.5"
    assert "tide/data.bin" not in unpacked(tmp_path)


def test_sdist(tmp_path: Path) -> None:
    files = {
        "tide-2.5/src/tide/__init__.py": "def ebb(): ...\n",
        "tide-2.5/setup.py": "",
        "tide-2.5/PKG-INFO": METADATA,
    }
    path = sdist(tmp_path / "tide-2.5.tar.gz", files)
    found = open_index(["tide"], source=path).resolve("tide.ebb")
    assert found
    assert found.file == "tide/__init__.py"


def test_unpacked_once_and_again_when_changed(tmp_path: Path) -> None:
    path = wheel(tmp_path / "tide.whl", {"tide/__init__.py": "ONE = 1\n"})
    first = find_package("tide", source=path).root
    assert find_package("tide", source=path).root == first
    wheel(path, {"tide/__init__.py": "ONE = 1\nTWO = 2\n"})
    assert open_index(["tide"], source=path).resolve("tide.TWO")


@pytest.mark.parametrize("make", [wheel, sdist])
@pytest.mark.parametrize(
    "name", ["../evil.py", "/tmp/fxanchor-evil.py", "tide/../../evil.py", "a\\..\\evil.py", "C:evil.py"]
)
def test_nothing_escapes(tmp_path: Path, make: object, name: str) -> None:
    path = make(tmp_path / "tide.zip", {"tide/__init__.py": "", name: "EVIL = 1\n"})  # type: ignore[operator]
    find_package("tide", source=path)
    assert unpacked(tmp_path) == ["tide/__init__.py"]
    assert not Path("/tmp/fxanchor-evil.py").exists()
    assert [path.name for path in tmp_path.rglob("*evil*")] == []


def test_links_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "tide.tar.gz"
    with tarfile.open(path, "w:gz") as opened:
        for name, kind in (
            ("tide/link.py", tarfile.SYMTYPE),
            ("tide/hard.py", tarfile.LNKTYPE),
            ("tide/pipe.py", tarfile.FIFOTYPE),
        ):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            opened.addfile(info)
        info = tarfile.TarInfo("tide/__init__.py")
        opened.addfile(info, io.BytesIO(b""))
    zipped = tmp_path / "tide.whl"
    with zipfile.ZipFile(zipped, "w") as opened_zip:
        link = zipfile.ZipInfo("tide/link.py")
        link.external_attr = 0o120777 << 16
        opened_zip.writestr(link, "/etc/passwd")
        opened_zip.writestr("tide/__init__.py", "")
    for source in (path, zipped):
        find_package("tide", source=source)
    assert unpacked(tmp_path) == ["tide/__init__.py", "tide/__init__.py"]


@pytest.mark.parametrize("content", [b"", b"not an archive", b"PK\x03\x04 cut", b"\x1f\x8b\x08 cut"])
def test_no_archive(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "tide.whl"
    path.write_bytes(content)
    with pytest.raises((UsageError, InputError), match=r"tide\.whl"):
        find_package("tide", source=path)
    assert unpacked(tmp_path) == []


def test_damaged_archives(tmp_path: Path) -> None:
    body = "".join(f"A{number} = {number * 7919 % 1009}\n" for number in range(3000))
    whole = wheel(tmp_path / "tide.whl", {"tide/__init__.py": body}).read_bytes()
    gzipped = sdist(tmp_path / "tide.tar.gz", {"tide/__init__.py": body}).read_bytes()
    for name, content in (
        ("a.whl", whole[:200] + b"\0" * 100 + whole[300:]),
        ("b.tar.gz", gzipped[: len(gzipped) // 2]),
    ):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(InputError, match="cannot be unpacked"):
            find_package("tide", source=path)
    assert unpacked(tmp_path) == []


@pytest.mark.parametrize("make", [wheel, sdist])
def test_sizes_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: object) -> None:
    path = make(tmp_path / "tide.zip", {"tide/__init__.py": "x = 1\n" * 10, "tide/more.py": "y = 1\n" * 10})  # type: ignore[operator]
    monkeypatch.setattr(archive, "MAX_TOTAL_BYTES", 100)
    with pytest.raises(InputError, match="more than"):
        find_package("tide", source=path)
    monkeypatch.setattr(archive, "MAX_TOTAL_BYTES", 1000)
    monkeypatch.setattr(archive, "MAX_MEMBERS", 0)
    with pytest.raises(InputError, match=r"tide\.zip"):
        find_package("tide", source=path)
    monkeypatch.setattr(archive, "MAX_MEMBERS", 10)
    monkeypatch.setattr(archive, "MAX_FILE_BYTES", 10)
    with pytest.raises(UsageError, match="holds no package"):
        find_package("tide", source=path)
