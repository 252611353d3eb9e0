"""Papers kept in the cache as lines of JSON, one a passage, so that a second look costs milliseconds."""

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fxanchor import cache
from fxanchor.paper.document import Paper, Passage, Pieces, Role, Section

_FORMAT = 2


def load_paper(key: str) -> Paper | None:
    """Return the paper kept under a key, or None when there is none for this version or it is damaged.

    Args:
        key: Digest of the file, with its password if it has one.
    """
    try:
        with _path(key).open("rb") as lines:
            return _paper(json.loads(next(lines, b"")), [_passage(*json.loads(line)) for line in lines])
    except (OSError, ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError):
        return None


def save_paper(key: str, paper: Paper) -> None:
    """Keep a paper; when the cache cannot be written nothing happens but that it is read again next time.

    Args:
        key: Digest of the file, with its password if it has one.
        paper: The paper.
    """
    try:
        with cache.replacing(_path(key)) as temporary, temporary.open("w", encoding="utf-8") as file:
            # Line by line: as one text, a book would take as much memory again as everything before.
            for row in _rows(paper):
                file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
    except (OSError, UnicodeEncodeError):
        pass


def _path(key: str) -> Path:
    return cache.path("paper", f"{cache.key([key, cache.code_stamp('paper'), _pypdf_version()])}.json")


def _pypdf_version() -> str:
    """Return what pypdf's version file says; importing pypdf or its metadata would cost more than loading a paper."""
    spec = find_spec("pypdf")
    if spec is None or spec.origin is None:
        return ""
    try:
        return Path(spec.origin).with_name("_version.py").read_text(encoding="utf-8")
    except OSError:
        return ""


def _rows(paper: Paper) -> Iterator[Any]:
    """Give what is told of the paper as a whole, then each passage."""
    yield {
        "format": _FORMAT,
        "sha256": paper.sha256,
        "title": paper.title,
        "pages": paper.pages,
        "code": paper.has_code_font,
        "warnings": paper.warnings,
        "sections": [[part.number, part.title, part.level, part.page, part.line] for part in paper.sections],
        "passages": len(paper.passages),
    }
    for passage in paper.passages:
        pieces = passage.pieces
        columns = pieces.looks, pieces.numbers.tolist(), pieces.boxes.tolist()
        yield passage.role, passage.section, passage.label, passage.text, *columns


def _paper(head: dict[str, Any], passages: list[Passage]) -> Paper:
    if head["format"] != _FORMAT or head["passages"] != len(passages):
        raise ValueError(head["format"])
    return Paper(
        sha256=head["sha256"],
        title=head["title"],
        pages=head["pages"],
        passages=tuple(passages),
        sections=tuple(Section(*part) for part in head["sections"]),
        has_code_font=head["code"],
        warnings=tuple(head["warnings"]),
    )


def _passage(
    role: Role, section: str, label: str, text: str, looks: list[list[Any]], numbers: list[int], boxes: list[float]
) -> Passage:
    pieces = Pieces(((str(name), float(size), bool(code)) for name, size, code in looks), numbers, boxes)
    return Passage(role, section, text, pieces, label)
