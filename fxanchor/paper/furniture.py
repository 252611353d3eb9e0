"""What every page carries and no sentence holds: running heads, page numbers, stamps."""

import re
from collections import defaultdict
from collections.abc import Sequence

from fxanchor.paper.lines import Line

_PAGE_NUMBER = re.compile(
    r"(?:page\s*)?[-–—·\s]*(?:\d{1,4}|[ivxlc]{1,7})[-–—·\s]*(?:(?:of|/)\s*\d{1,4})?|第\s*\d+\s*页(?:\s*共\s*\d+\s*页)?",
    re.IGNORECASE,
)
_STAMP = re.compile(r"arXiv:\S+\s+\[|^\s*(?:Authorized licensed use limited to|Downloaded from\s)", re.IGNORECASE)
# How many lines at the top and at the bottom of a page can be furniture.
_DEPTH = 4


def split_furniture(pages: Sequence[Sequence[Line]]) -> list[tuple[list[Line], list[Line]]]:
    """Tell running heads, page numbers and stamps from the body.

    Args:
        pages: The lines of each page.

    Returns:
        For each page its body lines in the given order, and its furniture.
    """
    repeated: dict[tuple[str, int], set[int]] = defaultdict(set)
    edges = [_edge_lines(lines) for lines in pages]
    for index, lines in enumerate(edges):
        for line in lines:
            repeated[_fingerprint(line)].add(index)
    split = []
    for index, (page, edge) in enumerate(zip(pages, edges, strict=True)):
        marked = {id(line) for line in edge if _is_repeated(line, index, repeated)}
        marked |= {id(line) for line in page if _STAMP.search(line.text)}
        marked |= {id(line) for line in _page_numbers(page, marked)}
        if len(marked) == len(page) and len(pages) < 4:
            # Pages of a line or two repeat without being furniture.
            marked = set()
        split.append(
            (
                [line for line in page if id(line) not in marked],
                [line for line in page if id(line) in marked],
            )
        )
    return split


def _edge_lines(lines: Sequence[Line]) -> list[Line]:
    heights = sorted({round(line.y) for line in lines})
    outer = {*heights[:_DEPTH], *heights[-_DEPTH:]}
    return [line for line in lines if round(line.y) in outer]


def _fingerprint(line: Line) -> tuple[str, int]:
    return re.sub(r"[\d\s]+", "#", line.text), round(line.y / 4)


def _is_repeated(line: Line, page: int, repeated: dict[tuple[str, int], set[int]]) -> bool:
    text, height = _fingerprint(line)
    if text == "#" or not text:
        return False
    near = {index for step in (-1, 0, 1) for index in repeated.get((text, height + step), ())}
    # Left and right pages carry different heads, so one page in four is enough for a long paper.
    return len(near) >= 3 or (len(near) == 2 and len(text) > 12 and page in near)


def _page_numbers(lines: Sequence[Line], marked: set[int]) -> list[Line]:
    body = [line for line in lines if id(line) not in marked]
    if len(body) < 3:
        return [line for line in body if len(lines) > 1 and _PAGE_NUMBER.fullmatch(line.text.strip())]
    found = []
    for line in (min(body, key=lambda line: line.y), max(body, key=lambda line: line.y)):
        others = [other for other in body if other is not line]
        apart = min(abs(line.y - other.y) for other in others)
        if _PAGE_NUMBER.fullmatch(line.text.strip()) and apart > 1.05 * line.size:
            found.append(line)
    return found
