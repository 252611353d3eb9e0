"""Lines that read as the number and title of a section, and what the headings of one level have in common."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from fxanchor.paper.page.lines import Line
from fxanchor.paper.page.style import Style
from fxanchor.paper.sections.contents import has_leaders
from fxanchor.paper.sections.looks import Look, Setting, look_of_spans
from fxanchor.paper.sections.numbering import MAYBE, Kind, Numbered, longest_run, order_of, parse_number
from fxanchor.paper.words.repairs import readable

# A way of counting: kind, level, and whether the text goes on behind the title.
Way = tuple[Kind, int, bool]
# For each way the usual look, and the numbers that have it.
Looks = dict[Way, tuple[Look, frozenset[str]]]

_ALONE = re.compile(r"\d{1,2}|[A-Z]|[IVX]{1,5}")
_LONGEST = 200
_LONGEST_RUN_IN = 120
# Of the font size: the gap behind a title without a full stop, wider than any blank.
_RUN_IN_GAP = 0.8
_DOTTED = re.compile(r"[\d.]+|[A-Z][\d.]*")
# So many headings show that they are no accident.
ENOUGH: Final = 3


@dataclass(frozen=True, slots=True)
class Candidate:
    """Lines that read as number and title.

    Attributes:
        index: The first line.
        extent: How many lines.
        numbered: The reading.
        look: How the title is set.
        distinct: Whether it stands out.
        marked: Whether a bookmark says the same.
        run_in: Whether the text goes on behind the title.
    """

    index: int
    extent: int
    numbered: Numbered
    look: Look
    distinct: bool
    marked: bool = False
    run_in: bool = False

    @property
    def way(self) -> Way:
        """What headings of one level share besides their look."""
        return self.numbered.kind, self.numbered.level, self.run_in


class Candidates:
    """Looks for lines that read as number and title.

    Args:
        setting: The lines of the paper.
        contents: The lines of tables of contents, which are none.
        marks: Depth of the bookmarks, by page and key of their title.
    """

    def __init__(self, setting: Setting, contents: Collection[int], marks: Mapping[int, Mapping[str, int]]) -> None:
        self._setting = setting
        self._lines = setting.lines
        self._style = setting.style
        self._contents = contents
        self._marks = marks

    def find(self) -> Iterator[Candidate]:
        """Give the candidates in reading order."""
        for index, line in enumerate(self._lines):
            if not MAYBE.match(line.text) or index in self._contents or is_other(line, self._style):
                continue
            marked = self._marks.get(line.page, {})
            distinct = self._setting.distinct[index]
            if not distinct and (run_in := self._run_in(index)) is not None:
                yield run_in
                continue
            if not distinct and not marked and not self._is_plain(index):
                continue
            for extent in {self._extent(index): None, 1: None}:
                read = list(self._read(index, extent))
                for numbered, count in read:
                    confirmed = key_of(numbered.number + numbered.title) in marked or key_of(numbered.title) in marked
                    if distinct or confirmed or self._is_plain(index):
                        look = self._setting.look(index + count - 1)
                        yield Candidate(index, count, numbered, look, distinct, confirmed)
                if read:
                    break

    def _read(self, index: int, extent: int) -> Iterator[tuple[Numbered, int]]:
        """Give the readings of lines as number and title, and how many lines these take."""
        group = self._lines[index : index + extent]
        text = text_of(group)
        if len(text) > _LONGEST or has_leaders(text):
            return
        below = index + extent
        if extent == 1 and (_ALONE.fullmatch(text) or any(not read.title for read in parse_number(text))):
            if not self._is_titled_below(index):
                return
            extent += self._setting.extent(below)
            text = f"{text} {text_of(self._lines[below : index + extent])}"[:_LONGEST]
        for numbered in parse_number(text):
            if self._is_titled(numbered, self._lines[index]):
                yield numbered, extent

    def _is_titled_below(self, index: int) -> bool:
        """Tell whether the title of a number that stands alone is on the next line."""
        line, below = self._lines[index], self._setting.below(index)
        if below is None or not self._setting.distinct[index] or not self._setting.distinct[index + 1]:
            return False
        word = len(line.text) > 3 or line.size > 1.3 * self._style.size
        return word and below.size > 0.95 * min(line.size, 1.3 * self._style.size) and line.y - below.y < 6 * below.size

    def _extent(self, index: int) -> int:
        """Count the lines from one on that are one heading: another number at the same place begins another."""
        extent = self._setting.extent(index)
        first = self._lines[index]
        for count in range(1, extent):
            line = self._lines[index + count]
            aligned = abs(line.x0 - first.x0) < 0.5 * first.size or not self._setting.is_placed(index)
            if aligned and MAYBE.match(line.text) and any(not read.loose for read in parse_number(readable(line.text))):
                return count
        return extent

    def _is_plain(self, index: int) -> bool:
        """Tell whether a line that looks like text stands alone, as a heading does."""
        setting, text = self._setting, self._lines[index].text
        alone = setting.is_apart(index) and setting.is_apart_below(index)
        return (
            alone
            and setting.is_short(index)
            and setting.is_placed(index)
            and not setting.is_row(index, first=1)
            and text[-1:] not in ".,;:!?。，；："
            and self._lines[index].size > 0.85 * self._style.size
        )

    def _run_in(self, index: int) -> Candidate | None:
        """Read the number and title, in a look of their own, that the text of a paragraph goes on behind."""
        spans = self._lines[index].spans
        plain = self._style.font
        # The number can be set like the text, and the title alone in a look of its own.
        own = spans[0].font.name != plain
        first = 0 if own else 1
        if not own and (not _DOTTED.fullmatch(spans[0].text) or len(spans) < 3 or spans[1].font.name == plain):
            return None
        end = next((at for at in range(first + 1, len(spans)) if spans[at].font.name == plain), len(spans))
        if end in (1, len(spans)) or spans[0].font.math or spans[0].font.mono:
            return None
        head = Line(list(spans[:end])).settle()
        text = readable(head.text).strip()
        ended = text[-1:] in (".", ":") or spans[end].x0 - spans[end - 1].x1 > _RUN_IN_GAP * head.size
        if not ended or len(text) > _LONGEST_RUN_IN:
            return None
        title_font = look_of_spans(spans[1:end])[1]
        for numbered in parse_number(text):
            deep = "." in numbered.number and numbered.kind in ("numeric", "letter", "mixed")
            same = own and look_of_spans(spans[:1])[1] == title_font
            if (deep or (numbered.kind == "small" and same)) and self._is_titled(numbered, self._lines[index]):
                return Candidate(index, 1, numbered, look_of_spans(head.spans), distinct=True, run_in=True)
        return None

    def _is_titled(self, numbered: Numbered, line: Line) -> bool:
        title = numbered.title
        if line.is_raised(line.spans[0]) or not re.search(r"[^\W\d_]{2}", title):
            return False
        deep = "." in numbered.number
        if title[0].islower() and not deep and line.size < 1.05 * self._style.size:
            return False
        return not title.endswith((";", ",")) and (not title.endswith(".") or len(title) < 60)


def without_lists(candidates: Iterator[Candidate]) -> list[Candidate]:
    """Leave out numbered lines that follow each other with no text between, as the items of a list do."""
    kept: list[Candidate] = []
    listed: set[int] = set()
    ends: dict[tuple[int, Kind, int], Candidate] = {}
    for candidate in candidates:
        kept.append(candidate)
        before = ends.get((candidate.index, *candidate.way[:2]))
        if before is not None and not candidate.marked:
            listed |= {before.index, candidate.index}
        ends[candidate.index + candidate.extent, *candidate.way[:2]] = candidate
    return [candidate for candidate in kept if candidate.index not in listed]


def usual_looks(candidates: Sequence[Candidate]) -> Looks:
    """Return for each way of counting the look that most of its headings have, and the numbers that have it."""
    ways: dict[Way, dict[tuple[Look, bool], list[str]]] = {}
    for candidate in candidates:
        looks = ways.setdefault(candidate.way, {})
        looks.setdefault((candidate.look, candidate.distinct), []).append(candidate.numbered.number)
    usual: Looks = {}
    plain: set[Look] = set()
    # Letters that look like the sections do are sections of an appendix.
    for way in sorted(ways, key=lambda way: way[0] == "letter"):
        roman = usual.get(("roman", 1, False))
        looks = {key: numbers for key, numbers in ways[way].items() if roman is None or key[0] != roman[0]}
        if way[0] != "letter" or not looks:
            looks = ways[way]
        (look, distinct), numbers = max(looks.items(), key=_commonness)
        # Lines that look like text are headings when there are several of them, or when their numbers are long.
        if distinct or way[1] > 1 or len(numbers) >= ENOUGH or look in plain:
            usual[way] = (look, frozenset(numbers))
            plain |= set() if distinct else {look}
    return usual


def _commonness(item: tuple[tuple[Look, bool], list[str]]) -> tuple[bool, int, float, int]:
    """Rank looks: of those that several headings have the largest, for bold items of lists can be more."""
    ((size, _), distinct), numbers = item
    return distinct and len(numbers) > 1, min(len(numbers), ENOUGH), size, len(numbers)


def in_sequence(candidates: Sequence[Candidate], looks: Looks) -> list[Candidate]:
    """Leave out those whose look is not usual, and of dotted numbers all but the longest run.

    Where other ways of counting stand above the digits, each section counts anew and there is no such run.
    """
    kept = [candidate for candidate in candidates if candidate.marked or fits(candidate, looks)]
    ways = {candidate.numbered.kind for candidate in kept}
    digits = [candidate for candidate in kept if candidate.numbered.kind == "numeric"]
    anew = any(candidate.numbered.level != candidate.numbered.number.count(".") + 1 for candidate in digits)
    if anew or ways & {"roman", "ideograph", "bracket"}:
        return kept
    run = longest_run([candidate.numbered.number for candidate in digits])
    out = {id(candidate) for at, candidate in enumerate(digits) if at not in run}
    return [candidate for candidate in kept if id(candidate) not in out]


def fits(candidate: Candidate, looks: Looks) -> bool:
    """Tell whether a heading looks like the others of its level, or fills a gap that they leave."""
    if candidate.way not in looks:
        return False
    look, numbers = looks[candidate.way]
    roman = looks.get(("roman", 1, False))
    # Letters that look like the sections do can be the sections of an appendix.
    if candidate.look == look or (candidate.numbered.kind == "letter" and roman and candidate.look == roman[0]):
        return True
    number = candidate.numbered.number
    return (
        candidate.distinct
        and number not in numbers
        and (candidate.way[1] > 1 or max(map(order_of, numbers)) > order_of(number))
    )


def text_of(group: Sequence[Line]) -> str:
    """Return the text of some lines."""
    return readable(" ".join(part.text for part in group)).strip()


def is_other(line: Line, style: Style) -> bool:
    """Tell whether a line is figure text or code."""
    in_code = line.code > 0.9 and bool(style.code) and line.size <= style.size
    return in_code or line.listed or (line.figure > 0.5 and style.forms)


def key_of(title: str) -> str:
    """Return what is left of a title when it does not matter how it is set."""
    return re.sub(r"\W+", "", readable(title)).casefold()
