"""What every page carries and no sentence holds: running heads, page numbers, stamps."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from fxanchor.paper.page.lines import Line

_PAGE_NUMBER = re.compile(
    r"(?:page\s*)?[-–—·\s]*(?:\d{1,4}|[ivxlc]{1,7})[-–—·\s]*(?:(?:of|/)\s*\d{1,4})?|第\s*\d+\s*页(?:\s*共\s*\d+\s*页)?",
    re.IGNORECASE,
)
_STAMP = re.compile(r"arXiv:\S+\s+\[|^\s*(?:Authorized licensed use limited to|Downloaded from\s)", re.IGNORECASE)
_LAST_NUMBER = re.compile(r"\d{1,4}$")
# How many lines at the top and at the bottom of a page can be furniture.
_DEPTH = 4
# Of the usual size: what is set larger and counts up is the number of a chapter.
_DISPLAY = 1.25
# Of the font size: the room under a head.
_APART = 1.45
# In points: what stands on one baseline.
_LEVEL = 1.0
# So many pages must carry a head at one height before others there are taken for heads.
_ENOUGH = 3


def split_furniture(pages: Sequence[Sequence[Line]]) -> list[tuple[list[Line], list[Line]]]:
    """Tell running heads, page numbers and stamps from the body.

    Args:
        pages: The lines of each page.

    Returns:
        For each page its body lines in the given order, and its furniture.
    """
    repeated: dict[tuple[str, int], dict[int, str]] = defaultdict(dict)
    edges = [_edge_lines(lines) for lines in pages]
    for index, lines in enumerate(edges):
        for line in lines:
            repeated[_fingerprint(line)][index] = line.text
    sizes = sorted(line.size for lines in pages for line in lines)
    display = _DISPLAY * sizes[len(sizes) // 2] if sizes else 0.0
    found = []
    for index, (page, edge) in enumerate(zip(pages, edges, strict=True)):
        marked = {id(line) for line in edge if _is_repeated(line, index, repeated, display)}
        marked |= {id(line) for line in page if _STAMP.search(line.text)}
        marked |= {id(line) for line in _page_numbers(page, marked) if line.size <= display}
        found.append(marked)
    _add_feet(pages, found, display)
    _add_heads(pages, found, display)
    # Pages of a line or two repeat without being furniture.
    found = [
        set() if len(marked) == len(page) and len(pages) < 4 else marked
        for page, marked in zip(pages, found, strict=True)
    ]
    return [
        (
            [line for line in page if id(line) not in marked],
            [line for line in page if id(line) in marked],
        )
        for page, marked in zip(pages, found, strict=True)
    ]


def _edge_lines(lines: Sequence[Line]) -> list[Line]:
    heights = sorted({round(line.y) for line in lines})
    outer = {*heights[:_DEPTH], *heights[-_DEPTH:]}
    # The lines of a program can repeat from page to page too.
    return [line for line in lines if round(line.y) in outer and not line.listed]


def _fingerprint(line: Line) -> tuple[str, int]:
    return re.sub(r"[\d\s]+", "#", line.text), round(line.y / 4)


def _is_repeated(line: Line, page: int, repeated: Mapping[tuple[str, int], Mapping[int, str]], display: float) -> bool:
    text, height = _fingerprint(line)
    if text == "#" or not text:
        return False
    if line.size <= display and len(repeated[text, height]) >= 3:
        return True
    near: dict[int, str] = {}
    for step in (-1, 0, 1):
        near.update(repeated.get((text, height + step), {}))
    if line.size > display and len(set(near.values())) > 1:
        return False
    # Left and right pages carry different heads, so one page in four is enough for a long paper.
    return len(near) >= 3 or (len(near) == 2 and len(text) > 12 and page in near)


def _add_feet(pages: Sequence[Sequence[Line]], found: Sequence[set[int]], display: float) -> None:
    """Mark the feet of single pages that end with the number of the page where other pages have nothing but that."""
    numbers: Counter[tuple[int, int]] = Counter()
    bottoms = [min(lines, key=lambda line: line.y) if len(lines) > 1 else None for lines in pages]
    for index, line in enumerate(bottoms):
        if line is not None and id(line) in found[index] and (told := _LAST_NUMBER.search(line.text)):
            numbers[round(line.y), int(told[0]) - index] += 1
    for index, line in enumerate(bottoms):
        told = _LAST_NUMBER.search(line.text) if line is not None else None
        if line is None or told is None or id(line) in found[index] or line.size > display:
            continue
        apart = min(other.y - line.y for other in pages[index] if other is not line) > _APART * line.size
        if apart and numbers[round(line.y), int(told[0]) - index] >= _ENOUGH - 1:
            found[index].add(id(line))


def _add_heads(pages: Sequence[Sequence[Line]], found: Sequence[set[int]], display: float) -> None:
    """Mark the running heads that name a section and so stand on a page or two only.

    They carry the number of the page, or stand where other pages have a head.
    """
    tops = [_top(lines) for lines in pages]
    numbers: Counter[int] = Counter()
    for index, (top, lines) in enumerate(zip(tops, pages, strict=True)):
        if lines:
            edges = (*top, min(lines, key=lambda line: line.y))
            numbers.update({number - index for line in edges for number in _outer_numbers(line)})
    first, count = numbers.most_common(1)[0] if numbers else (0, 0)
    heads: Counter[tuple[int, float]] = Counter()
    for index, top in enumerate(tops):
        if top and top[0].size > display:
            top.clear()
        if count >= _ENOUGH and any(first + index in _outer_numbers(line) for line in top):
            found[index].update(id(line) for line in top)
        if any(id(line) in found[index] for line in top):
            heads[_height(top[0])] += 1
    for index, top in enumerate(tops):
        if top and heads[_height(top[0])] >= _ENOUGH:
            found[index].update(id(line) for line in top)


def _top(lines: Sequence[Line]) -> list[Line]:
    """Return the topmost line of a page in its parts, when there is more room below than between lines of text."""
    if len(lines) < 3:
        return []
    high = max(line.y for line in lines)
    top = [line for line in lines if high - line.y < _LEVEL]
    apart = all(high - line.y > _APART * max(line.size, top[0].size) for line in lines if high - line.y >= _LEVEL)
    return top if apart else []


def _outer_numbers(line: Line) -> set[int]:
    return {int(span.text) for span in (line.spans[0], line.spans[-1]) if re.fullmatch(r"\d{1,4}", span.text)}


def _height(line: Line) -> tuple[int, float]:
    return round(line.y), round(line.size, 1)


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
