"""Whether a paper is about a package: how often and where it names it."""

import re
from dataclasses import dataclass
from typing import Literal

from fxanchor.paper.document import Paper, Passage
from fxanchor.source.definition import Package

Level = Literal["central", "named", "absent"]

_CENTRAL_COUNT = 6
_CENTRAL_SECTIONS = 3
# A name of three letters or less is a word or an acronym of its own unless the paper joins it to the project's.
_SHORT = 3
_RELEASE = re.compile(r"\s+(?:v\.?|version\s)?\s?\d[\d.]*$")


@dataclass(frozen=True, slots=True)
class Subject:
    """What a paper has to do with a package.

    Attributes:
        package: The package's import name.
        level: `central` when the paper is about it, `named` when it only names it, `absent` when it does not.
        count: How often it is named.
        passages: Numbers of the passages that name it.
        reason: What the level rests on, in words.
    """

    package: str
    level: Level
    count: int
    passages: frozenset[int]
    reason: str


def subject(paper: Paper, package: Package, imported: bool) -> Subject:
    """Tell what a paper has to do with a package.

    Args:
        paper: The paper.
        package: The package.
        imported: Whether a listing of the paper imports it.
    """
    pattern = _pattern(package)
    count = 0
    passages = set()
    sections = set()
    head = _RELEASE.sub("", paper.title.partition(":")[0].strip())
    titled = bool(pattern.search(paper.title)) or head == package.name
    for order, passage in enumerate(paper.passages):
        if passage.role in ("reference", "figure"):
            continue
        hits = len(pattern.findall(passage.text)) + _set_as_code(passage, package.name)
        if hits:
            count += hits
            passages.add(order)
            sections.add(passage.section)
            titled = titled or passage.role == "title"
    name = package.name
    if count and (short := _short_name(name)) is not None:
        # A paper that has said `torch.fx` once may go on with `FX`.
        for order, passage in enumerate(paper.passages):
            if passage.role not in ("reference", "figure") and (hits := len(short.findall(passage.text))):
                count += hits
                passages.add(order)
                sections.add(passage.section)
    if titled:
        return Subject(name, "central", count, frozenset(passages), f"the title names {name}")
    if imported:
        return Subject(name, "central", count, frozenset(passages), f"a listing of the paper imports {name}")
    # A paper of one page has one or two sections, and may still be about nothing else.
    wanted = min(_CENTRAL_SECTIONS, len(paper.sections)) or 1
    if count >= _CENTRAL_COUNT and len(sections) >= wanted:
        reason = f"the paper names {name} {count} times in {len(sections)} sections"
        return Subject(name, "central", count, frozenset(passages), reason)
    if count:
        times = "once" if count == 1 else f"only {count} times"
        return Subject(name, "named", count, frozenset(passages), f"the paper names {name} {times}")
    return Subject(name, "absent", 0, frozenset(), f"the paper never names {name}")


def _short_name(name: str) -> re.Pattern[str] | None:
    """Return a pattern for the last part of a dotted name in capitals, or None for a name without dots."""
    parent, _, last = name.rpartition(".")
    return re.compile(rf"(?<![\w.]){re.escape(last.upper())}(?![\w.])") if parent and len(last) > 1 else None


def _set_as_code(passage: Passage, name: str) -> int:
    """Count the places where a name without dots stands alone in the code font."""
    if "." in name:
        return 0
    places = re.finditer(rf"(?<![\w.]){re.escape(name)}(?![\w.])", passage.text)
    return sum(passage.is_code(*match.span()) for match in places)


def _pattern(package: Package) -> re.Pattern[str]:
    """Return what a paper may call a package: its import name, or its repository's name for a whole project."""
    parent, _, last = package.name.rpartition(".")
    project = package.repository.rstrip("/").rpartition("/")[2]
    names = [re.escape(package.name)]
    if parent:
        for head in filter(None, (parent, project)):
            names.append(rf"{re.escape(head)}(?:['’]s)?[ .-]{re.escape(last)}")
    else:
        # `requests` and `attrs` are English words too: without capitals, only in front of a dot they name the package.
        names = [rf"{re.escape(package.name)}(?=\.\w)"]
        names.extend(_proper(name) for name in {package.name, project} if len(name) > _SHORT)
    return re.compile(rf"(?<![\w.])(?:{'|'.join(names)})(?!\w)", re.IGNORECASE if parent else 0)


def _proper(name: str) -> str:
    """Return a pattern for a project's name with a capital somewhere, however the paper sets its capitals."""
    anyhow = "".join(
        f"[{letter.lower()}{letter.upper()}]" if letter.isalpha() else re.escape(letter) for letter in name
    )
    return rf"(?=\w*[A-Z]){anyhow}"
