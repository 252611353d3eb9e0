"""The metadata of an installed distribution (PEP 376, 566, 610), read from its files without importing anything."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlparse

_GITHUB = re.compile(
    r"https?://(?:www\.)?github\.com/([\w.-]+)/([\w.-]+?)(?:\.git)?/?(?:[#?].*|/(?:tree|blob|tags|releases)\b.*)?"
)
# In this order the labels of project URLs name the source: the first that is a GitHub repository counts.
_LABELS = ("source", "sourcecode", "repository", "code", "github", "homepage", "home", "download")
_COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class Distribution:
    """What a distribution says about itself.

    Attributes:
        name: Its name, such as `scikit-learn`.
        version: Its version.
        commit: Full commit, when it was installed from a git repository.
        repository: `https://github.com/owner/name`, or "".
        folder: Its `.dist-info` or `.egg-info` directory.
    """

    name: str = ""
    version: str = ""
    commit: str = ""
    repository: str = ""
    folder: Path = Path()


def distribution_of(top: Path, search: list[Path]) -> Distribution | None:
    """Return the distribution that a top-level package belongs to.

    A distribution of the same name is tried first, because it nearly always is the one; what it installed is checked.

    Args:
        top: Directory or file of the top-level package.
        search: Directories that may hold the `.dist-info` directories.
    """
    places = [top.parent, *(place for place in search if place != top.parent)]
    name = _normal(top.stem)
    later = []
    for folder in _info_folders(places):
        if _normal(_folder_name(folder)) == name:
            if _owns(folder, top):
                return _read(folder)
        else:
            later.append(folder)
    return next((_read(folder) for folder in later if _owns(folder, top)), None)


def distribution_called(name: str, search: list[Path]) -> Distribution | None:
    """Return the distribution of this name, whatever its spelling (`Scikit_Learn`, `scikit-learn`)."""
    wanted = _normal(name)
    return next((_read(folder) for folder in _info_folders(search) if _normal(_folder_name(folder)) == wanted), None)


def top_level_names(distribution: Distribution) -> list[str]:
    """Return the import names that a distribution brings, without private ones."""
    if text := _text(distribution.folder / "top_level.txt"):
        names = set(text.split())
    else:
        names = set()
        for line in _text(distribution.folder / "RECORD").splitlines():
            first, slash, rest = line.partition(",")[0].partition("/")
            if slash and rest.endswith(".py"):
                names.add(first)
            elif not slash and first.endswith(".py"):
                names.add(first.removesuffix(".py"))
    return sorted(name for name in names if name.isidentifier() and not name.startswith("_"))


def _info_folders(places: list[Path]) -> Iterator[Path]:
    seen: set[Path] = set()
    for place in places:
        if place in seen or not place.is_dir():
            continue
        seen.add(place)
        yield from (path for path in sorted(place.iterdir()) if path.suffix in (".dist-info", ".egg-info"))
        if (place / "PKG-INFO").is_file():
            yield place


def _owns(folder: Path, top: Path) -> bool:
    """Return whether the distribution installed this top-level package."""
    if folder.suffix not in (".dist-info", ".egg-info"):
        return True  # the PKG-INFO of an unpacked sdist, beside the package
    # Environments are often kept inside the project; what is installed into one has a record of its own.
    if (project := _editable_project(folder)) and top.is_relative_to(project) and not _is_site(top.parent):
        return True
    if folder.parent != top.parent:
        return False
    if top.stem in _text(folder / "top_level.txt").split():
        return True
    start = f"{top.name}/" if top.is_dir() else f"{top.name},"
    record = _text(folder / "RECORD") or _text(folder / "SOURCES.txt")
    return record.startswith(start) or f"\n{start}" in record


def _is_site(folder: Path) -> bool:
    return next(folder.glob("*.dist-info"), None) is not None


def _read(folder: Path) -> Distribution:
    file = next((folder / name for name in ("METADATA", "PKG-INFO") if (folder / name).is_file()), folder / "METADATA")
    fields: dict[str, list[str]] = {}
    for line in _text(file).splitlines():
        if not line.strip():
            break
        key, colon, value = line.partition(":")
        if colon and not line[0].isspace():
            fields.setdefault(key.lower(), []).append(value.strip())
    commit, url = _from_git(folder)
    return Distribution(
        name=fields.get("name", [""])[0],
        version=fields.get("version", [""])[0],
        commit=commit,
        repository=_repository(url) or _declared_repository(fields),
        folder=folder,
    )


def _declared_repository(fields: dict[str, list[str]]) -> str:
    urls = {label: fields.get(field, [""])[0] for label, field in (("home", "home-page"), ("download", "download-url"))}
    for line in fields.get("project-url", []):
        label, _, url = line.partition(",")
        urls[re.sub(r"[\W_]", "", label.lower())] = url.strip()
    return next((found for label in _LABELS if (found := _repository(urls.get(label, "")))), "")


def _repository(url: str) -> str:
    match = _GITHUB.fullmatch(url.strip().removeprefix("git+"))
    return f"https://github.com/{match[1]}/{match[2]}" if match else ""


def _direct_url(folder: Path) -> dict[str, object]:
    try:
        value = json.loads(_text(folder / "direct_url.json") or "{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _from_git(folder: Path) -> tuple[str, str]:
    """Return commit and URL of a distribution that was installed from a git repository, else two empty strings."""
    direct = _direct_url(folder)
    match direct.get("vcs_info"):
        case {"vcs": "git", "commit_id": str(commit)} if _COMMIT.fullmatch(commit):
            return commit, str(direct.get("url", ""))
    return "", ""


def _editable_project(folder: Path) -> Path | None:
    direct = _direct_url(folder)
    match direct.get("dir_info"):
        case {"editable": True}:
            return Path(unquote(urlparse(str(direct.get("url", ""))).path))
    return None


def _folder_name(folder: Path) -> str:
    return folder.stem.partition("-")[0]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
