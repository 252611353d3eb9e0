import base64
import hashlib
import importlib.util
import json
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from fxanchor.errors import InputError, UsageError
from fxanchor.source.index import open_index
from fxanchor.source.locate import find_package

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of installed packages, first on the path."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    return folder


def install(site: Path, distribution: str, *packages: str, metadata: str = "", **files: str) -> Path:
    for package in packages:
        (site / package).mkdir(parents=True, exist_ok=True)
        (site / package / "__init__.py").write_text("raise SystemExit('imported')\n")
    info = site / f"{distribution.replace('-', '_')}-1.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.5\n{metadata}\n\nVersion: 9\n"
    )
    (info / "RECORD").write_text("".join(f"{package}/__init__.py,,\n" for package in packages))
    for name, text in files.items():
        (info / name.replace("__", ".")).write_text(text)
    return info


def test_finds_without_importing(site: Path) -> None:
    install(site, "tide", "tide")
    (site / "tide" / "low").mkdir()
    (site / "tide" / "low" / "__init__.py").write_text("")
    (site / "tide" / "low" / "ebb.py").write_text("")
    package = find_package("tide.low.ebb")
    assert (package.name, package.version) == ("tide.low.ebb", "1.5")
    assert package.root == site
    assert package.folder == site / "tide" / "low" / "ebb.py"
    assert "tide" not in sys.modules


def test_torch_is_found_without_importing_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    find = importlib.util.find_spec

    def noted(name: str) -> ModuleSpec | None:
        asked.append(name)
        return find(name)

    monkeypatch.setattr(importlib.util, "find_spec", noted)
    package = find_package("torch.fx")
    assert asked == ["torch"]
    assert package.repository == "https://github.com/pytorch/pytorch"
    assert package.folder.name == "fx"


def test_distribution_of_another_name(site: Path) -> None:
    install(site, "tide-tables", "tide")
    install(site, "sea", "waves")
    assert find_package("tide").version == "1.5"
    assert find_package("tide-tables").name == "tide"
    assert find_package("Tide_Tables").name == "tide"


def test_distribution_of_several_packages_is_not_guessed(site: Path) -> None:
    install(site, "tide-tables", "tide", "moon")
    with pytest.raises(UsageError, match="'tide-tables' holds several packages: moon, tide"):
        find_package("tide-tables")


def test_a_distribution_of_the_same_name_must_hold_the_package(site: Path) -> None:
    install(site, "tide", "other")
    (site / "tide").mkdir()
    (site / "tide" / "__init__.py").write_text("")
    assert find_package("tide").version == ""


def test_a_module_that_python_carries_has_its_source() -> None:
    assert find_package("os").folder.name == "os.py"


def test_absent(site: Path) -> None:
    install(site, "tide", "tide")
    with pytest.raises(UsageError) as caught:
        find_package("tides.low")
    assert str(caught.value) == (
        "No package 'tides' is installed. Did you mean tide? "
        "Install it with: pip install tides (unless its distribution has another name)."
    )
    with pytest.raises(UsageError, match=r"tide has no module 'hihg'\. Check its spelling\."):
        find_package("tide.hihg")
    (site / "tide" / "high.py").write_text("")
    with pytest.raises(UsageError, match=r"tide has no module 'hihg'\. Did you mean high\?"):
        find_package("tide.hihg")
    with pytest.raises(UsageError, match="is not a package name"):
        find_package("tide/../etc")


@pytest.mark.parametrize("name", ["sys", "_imp"])
def test_built_in(name: str) -> None:
    with pytest.raises(UsageError, match="has no source to read"):
        find_package(name)


def test_single_module_namespace_and_stub(site: Path) -> None:
    (site / "alone.py").write_text("__version__ = '2.0'\n")
    (site / "spread" / "part").mkdir(parents=True)
    (site / "spread" / "part" / "__init__.py").write_text("")
    (site / "spread" / "native.pyi").write_text("")
    alone = find_package("alone")
    assert (alone.version, alone.folder) == ("2.0", site / "alone.py")
    assert find_package("spread").folder == site / "spread"
    assert find_package("spread.part").root == site
    assert find_package("spread.native").folder.name == "native.pyi"


def test_version_and_commit_that_the_package_writes(site: Path) -> None:
    (site / "tide").mkdir()
    (site / "tide" / "__init__.py").write_text("")
    version = f"__version__: str = '3.1'\ngit_version = '{COMMIT}'\nother = '{'a' * 40}'\n"
    (site / "tide" / "version.py").write_text(version)
    package = find_package("tide")
    assert (package.version, package.git_version) == ("3.1", COMMIT)


@pytest.mark.parametrize(
    "text", ["git_version = 'Unknown'", f"digest = '{COMMIT}'", "git_version = (", "git_version = 1"]
)
def test_what_is_no_commit(site: Path, text: str) -> None:
    (site / "tide").mkdir()
    (site / "tide" / "__init__.py").write_text("")
    (site / "tide" / "version.py").write_text(text)
    assert find_package("tide").git_version == ""


def test_installed_from_git(site: Path) -> None:
    record = {"url": "https://github.com/sea/tide.git", "vcs_info": {"vcs": "git", "commit_id": COMMIT}}
    install(site, "tide", "tide", direct_url__json=json.dumps(record))
    package = find_package("tide")
    assert (package.git_version, package.repository) == (COMMIT, "https://github.com/sea/tide")


def test_editable(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "project"
    (project / "src" / "tide").mkdir(parents=True)
    (project / "src" / "tide" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(project / "src"))
    install(site, "tide", direct_url__json=json.dumps({"url": project.as_uri(), "dir_info": {"editable": True}}))
    package = find_package("tide")
    assert (package.version, package.root) == ("1.5", project / "src")


def test_an_editable_project_does_not_own_the_environment_inside_it(tmp_path: Path, site: Path) -> None:
    install(site, "boat", direct_url__json=json.dumps({"url": tmp_path.as_uri(), "dir_info": {"editable": True}}))
    (site / "tide").mkdir()
    (site / "tide" / "__init__.py").write_text("__version__ = '7.0'\n")
    assert find_package("tide").version == "7.0"
    install(site, "tide-tables", "tide")
    assert find_package("tide").version == "1.5"


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ("Project-URL: Source Code, https://github.com/sea/tide/", "https://github.com/sea/tide"),
        ("Project-URL: Repository, https://github.com/sea/tide.git", "https://github.com/sea/tide"),
        (
            "Project-URL: Homepage, https://sea.org\nHome-page: https://github.com/sea/tide",
            "https://github.com/sea/tide",
        ),
        ("Download-URL: https://github.com/sea/tide/tags", "https://github.com/sea/tide"),
        ("Project-URL: Issues, https://github.com/sea/tide/issues", ""),
        ("Home-page: https://gitlab.com/sea/tide", ""),
        ("Home-page: https://github.com/sea", ""),
        ("Description:\n Home-page: https://github.com/sea/tide", ""),
    ],
)
def test_repository(site: Path, metadata: str, expected: str) -> None:
    install(site, "tide", "tide", metadata=metadata)
    assert find_package("tide").repository == expected


@pytest.mark.parametrize("record", ["[", "[]", '{"vcs_info": {"vcs": "git", "commit_id": "main"}}', '{"vcs_info": 1}'])
def test_a_damaged_record_says_nothing(site: Path, record: str) -> None:
    install(site, "tide", "tide", direct_url__json=record)
    assert find_package("tide").git_version == ""


def test_permalinks_are_given_where_file_and_commit_are_certain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FXANCHOR_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "torch"
    folder.mkdir()
    (folder / "__init__.py").write_text("\ndef load():\n    return 1\n")
    (folder / "version.py").write_text(f"git_version = '{COMMIT}'\n")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "__init__.py").write_text(f"commit = '{COMMIT}'\ndef load(): ...\n")
    index = open_index(["torch", "own"], source=tmp_path)
    links = {
        name: index.permalink(found)
        for name in ("torch.load", "torch.version", "own.load")
        if (found := index.get(name))
    }
    assert links == {
        "torch.load": f"https://github.com/pytorch/pytorch/blob/{COMMIT}/torch/__init__.py#L2-L3",
        "torch.version": "",
        "own.load": "",
    }


def test_a_file_that_was_changed_has_no_permalink(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FXANCHOR_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "site" / "torch"
    folder.mkdir(parents=True)
    (folder / "version.py").write_text(f"git_version = '{COMMIT}'\n")
    record = ""
    for name in ("__init__", "same", "changed"):
        text = f"def load_{name}():\n    return 1\n"
        (folder / f"{name}.py").write_text(text)
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
        record += f"torch/{name}.py,sha256={digest},{len(text)}\n"
    info = tmp_path / "site" / "torch-1.0.dist-info"
    info.mkdir()
    (info / "RECORD").write_text(record)
    (folder / "changed.py").write_text("# mine\ndef load_changed():\n    return 1\n")
    index = open_index(["torch"], source=tmp_path / "site")
    links = [
        index.permalink(found)
        for name in ("torch.load___init__", "torch.same.load_same", "torch.changed.load_changed")
        if (found := index.get(name))
    ]
    base = f"https://github.com/pytorch/pytorch/blob/{COMMIT}/torch"
    assert links == [f"{base}/__init__.py#L1-L2", f"{base}/same.py#L1-L2", ""]


def test_source_directory(tmp_path: Path) -> None:
    for place in ("", "src", "lib", "tide-1.0", "tide-1.0/src"):
        root = tmp_path / "at" / place.replace("/", "_") / place
        (root / "tide").mkdir(parents=True)
        (root / "tide" / "__init__.py").write_text("__version__ = '4'\n")
        package = find_package("tide", source=tmp_path / "at" / place.replace("/", "_"))
        assert (package.root, package.version) == (root, "4")
    package = find_package("tide", source=tmp_path / "at" / "src" / "src" / "tide")
    assert package.root == tmp_path / "at" / "src" / "src"


def test_source_without_the_package(tmp_path: Path) -> None:
    (tmp_path / "tide.py").write_text("")
    with pytest.raises(UsageError, match=r"holds no package 'tode'\. Did you mean tide\?"):
        find_package("tode", source=tmp_path)
    with pytest.raises(InputError, match="does not exist"):
        find_package("tide", source=tmp_path / "nothing")
