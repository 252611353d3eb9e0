"""Papers kept in the cache as JSON, so that a second look costs milliseconds."""

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fxanchor import cache
from fxanchor.paper.document import Box, Paper, Passage, Piece, Section

_FORMAT = 1


def load_paper(key: str) -> Paper | None:
    """Return the paper kept under a key, or None when there is none for this version or it is damaged.

    Args:
        key: Digest of the file, with its password if it has one.
    """
    try:
        return _from_json(json.loads(_path(key).read_bytes()))
    except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError):
        return None


def save_paper(key: str, paper: Paper) -> None:
    """Keep a paper; when the cache cannot be written nothing happens but that it is read again next time.

    Args:
        key: Digest of the file, with its password if it has one.
        paper: The paper.
    """
    try:
        with cache.replacing(_path(key)) as temporary:
            temporary.write_text(json.dumps(_to_json(paper), ensure_ascii=False, separators=(",", ":")), "utf-8")
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


def _to_json(paper: Paper) -> dict[str, Any]:
    fonts: dict[tuple[str, float, bool], int] = {}
    passages = []
    for passage in paper.passages:
        numbers: list[float] = []
        for piece in passage.pieces:
            font = fonts.setdefault((piece.font, piece.size, piece.code), len(fonts))
            numbers.extend((piece.start, piece.end, piece.page, piece.line, *piece.box, font))
        passages.append([passage.role, passage.section, passage.label, passage.text, numbers])
    return {
        "format": _FORMAT,
        "sha256": paper.sha256,
        "title": paper.title,
        "pages": paper.pages,
        "code": paper.has_code_font,
        "warnings": paper.warnings,
        "sections": [[part.number, part.title, part.level, part.page, part.line] for part in paper.sections],
        "fonts": list(fonts),
        "passages": passages,
    }


def _from_json(data: dict[str, Any]) -> Paper:
    if data["format"] != _FORMAT:
        raise ValueError(data["format"])
    fonts = [(str(name), float(size), bool(code)) for name, size, code in data["fonts"]]
    return Paper(
        sha256=data["sha256"],
        title=data["title"],
        pages=data["pages"],
        passages=tuple(
            Passage(role, section, text, _pieces(numbers, fonts), label)
            for role, section, label, text, numbers in data["passages"]
        ),
        sections=tuple(Section(*part) for part in data["sections"]),
        has_code_font=data["code"],
        warnings=tuple(data["warnings"]),
    )


def _pieces(numbers: Sequence[float], fonts: Sequence[tuple[str, float, bool]]) -> tuple[Piece, ...]:
    columns = iter(numbers)
    return tuple(
        Piece(start, end, page, line, Box(x0, y0, x1, y1), *fonts[font])
        for start, end, page, line, x0, y0, x1, y1, font in zip(*[columns] * 9, strict=True)
    )
