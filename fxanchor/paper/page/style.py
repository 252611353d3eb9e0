"""How a paper is set as a whole: the font and size of its running text, its line spacing, its column edges."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from fxanchor.paper.page.lines import WIDE, Line

# LinLibertineTB and LinLibertineTI say it with a capital.
_BOLD = re.compile(
    r"bold|medi(?!um?l)|demi|black|heavy|cmbx|sfbx|bx\d|[-,]bd|(?-i:(?<=[a-z])T[BZ]I?$)|simhei|heiti", re.IGNORECASE
)
_ITALIC = re.compile(
    r"ital|obli|slant|cmti|sfti|cmsl|cmssi|cmitt|sfs[il]|[-,]it\b|(?-i:(?<=[a-z])T[BZ]?I$)", re.IGNORECASE
)
# So many lines tell whether they end at an edge.
_SAMPLE = 400


def middle(values: Iterable[float]) -> float:
    """Return the value in the middle of some, the upper one of two; of none it raises IndexError."""
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


def is_bold(font: str) -> bool:
    """Tell a bold font by its name."""
    return _BOLD.search(font) is not None


def is_italic(font: str) -> bool:
    """Tell an italic or slanted font by its name."""
    return _ITALIC.search(font) is not None


@dataclass(slots=True)
class Style:
    """What is usual in a paper.

    Attributes:
        size: Font size of the running text.
        fonts: The fonts that hold a good part of the running text.
        font: The first of them.
        code: Names of the code fonts; empty when code is not set in a font of its own.
        leading: Usual distance of two baselines, by font size rounded to half points.
        forms: Whether forms are figures; a file that wraps whole pages in forms says nothing by them.
        edges: Left and right edge by page and column.
        ragged: Whether lines end as they come, and not at the right edge.
    """

    size: float = 10.0
    font: str = ""
    fonts: frozenset[str] = frozenset()
    code: frozenset[str] = frozenset()
    leading: dict[float, float] = field(default_factory=dict)
    forms: bool = True
    edges: dict[tuple[int, int], tuple[float, float]] = field(default_factory=dict)
    ragged: bool = False

    def line_step(self, size: float) -> float:
        """Return the usual distance of two baselines of a size, in points."""
        return self.leading.get(round(size * 2) / 2, 1.2 * size)

    def edge(self, line: Line) -> tuple[float, float]:
        """Return the edges of the column that a line stands in."""
        if line.column == WIDE:
            left = self.edges.get((line.page, 0)) or self.edges.get((0, 0))
            right = self.edges.get((line.page, 1)) or self.edges.get((0, 1))
            if left and right:
                return left[0], right[1]
        return self.edges.get((line.page, line.column)) or (line.x0, line.x1)

    def shift(self, line: Line, other: Line) -> float | None:
        """Return how far right of a line's column the column of another line begins, or None where none can tell."""
        if line.column == other.column and line.page % 2 == other.page % 2:
            return 0.0
        one, two = (self._margin(each.page, max(each.column, 0)) for each in (line, other))
        return two - one if one is not None and two is not None else None

    def _margin(self, page: int, column: int) -> float | None:
        # Left and right pages can have margins of their own, and on a page of code all lines can be indented.
        lefts = {at: left for (at, side), (left, _) in self.edges.items() if at and side == column}
        alike = sorted(left for at, left in lefts.items() if at % 2 == page % 2) or sorted(lefts.values())
        return alike[len(alike) // 4] if alike else None


def study(pages: Sequence[Sequence[Line]]) -> Style:
    """Measure what is usual in a paper from the body lines of its pages."""
    lines = [line for page in pages for line in page]
    sizes: Counter[float] = Counter()
    letters = figures = 0
    for line in lines:
        letters += line.letters
        figures += round(line.figure * line.letters)
        if line.code < 0.8:
            sizes[round(line.size, 1)] += line.letters
    style = Style(forms=figures < 0.35 * letters)
    if not sizes:
        return style
    style.size = sizes.most_common(1)[0][0]
    fonts = _fonts(line for line in lines if abs(line.size - style.size) < 0.35)
    total = fonts.total()
    style.font = fonts.most_common(1)[0][0]
    style.code = _code_fonts(lines, style.font)
    if style.font in style.code:
        style.code = frozenset()
    style.fonts = frozenset(name for name, count in fonts.items() if count > 0.004 * total and name not in style.code)
    style.leading = _leading(lines)
    style.edges = _edges(lines, style.size)
    style.ragged = _is_ragged(lines, style)
    return style


def _fonts(lines: Iterable[Line]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for line in lines:
        for span in line.spans:
            counts[span.font.name] += len(span.text)
    return counts


def _code_fonts(lines: Sequence[Line], body: str) -> frozenset[str]:
    """Return the fonts with equally wide letters, unless the running text itself is set in one."""
    mono = {span.font.name for line in lines for span in line.spans if span.font.mono}
    return frozenset({body} if body in mono else mono)


def _leading(lines: Sequence[Line]) -> dict[float, float]:
    steps: dict[float, Counter[float]] = defaultdict(Counter)
    for above, below in pairwise(lines):
        step = above.y - below.y
        together = (above.page, above.column) == (below.page, below.column) and abs(above.size - below.size) < 0.3
        if together and 0.8 * above.size < step < 2.4 * above.size:
            steps[round(above.size * 2) / 2][round(step * 2) / 2] += 1
    return {size: counts.most_common(1)[0][0] for size, counts in steps.items() if counts.total() >= 5}


def _edges(lines: Sequence[Line], size: float) -> dict[tuple[int, int], tuple[float, float]]:
    groups: dict[tuple[int, int], list[Line]] = defaultdict(list)
    for line in lines:
        if abs(line.size - size) < 0.35 and line.column != WIDE:
            groups[(line.page, line.column)].append(line)
            groups[(0, line.column)].append(line)
    edges = {}
    for key, members in groups.items():
        if len(members) < 4:
            continue
        lefts = Counter(round(line.x0) for line in members)
        rights = sorted(line.x1 for line in members)
        often = [left for left, count in lefts.items() if count >= 0.2 * len(members)]
        edges[key] = (float(min(often or [lefts.most_common(1)[0][0]])), rights[int(0.85 * (len(rights) - 1))])
    _lend_edges(edges, {(line.page, line.column) for line in lines if line.column != WIDE})
    return edges


def _lend_edges(edges: dict[tuple[int, int], tuple[float, float]], wanted: Collection[tuple[int, int]]) -> None:
    """Give a column without text, such as one of floats, the edges that it has on the pages near by."""
    told = dict(edges)
    for page, column in sorted(set(wanted) - set(told)):
        # Left and right pages can have margins of their own.
        near = [(page + step, column) for step in (-2, 2, -4, 4, -1, 1)]
        found = next((told[key] for key in near if key in told and key[0] > 0), told.get((0, column)))
        if found is not None:
            edges[page, column] = found


def _is_ragged(lines: Sequence[Line], style: Style) -> bool:
    """Tell whether most lines that a sentence goes on behind do not reach the right edge."""
    reaching = others = 0
    for above, below in pairwise(lines[:_SAMPLE]):
        usual = abs(above.size - style.size) < 0.35 and above.size == below.size
        if usual and below.text[0].islower() and above.column == below.column:
            _, right = style.edge(above)
            if abs(above.x1 - right) < 0.3 * style.size:
                reaching += 1
            else:
                others += 1
    return others > reaching
