"""Section headings: told by their number, their look, their place in the sequence, and the bookmarks of the file."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fxanchor.paper.contents import LEADERS, contents_lines
from fxanchor.paper.document import Section
from fxanchor.paper.lines import Line
from fxanchor.paper.looks import Look, Setting, look_of, look_of_spans, stands_out
from fxanchor.paper.numbering import MAYBE, Kind, Numbered, Numbering, parse_number
from fxanchor.paper.repairs import readable
from fxanchor.paper.style import Style
from fxanchor.paper.unnumbered import Unnumbered, lines_of

# Title and depth of the bookmarks of a file by 1-based page.
Bookmarks = Mapping[int, Sequence[tuple[str, int]]]

REFERENCES = re.compile(
    r"references(?: and notes)?|bibliography|works cited|literature cited|literatur(?:verzeichnis)?|bibliographie"
    r"|références|referencias|bibliografía|参\s*考\s*文\s*献",
    re.IGNORECASE,
)
NAMED = re.compile(
    r"abstract|summary|introduction|background|related work|conclusions?|discussion|references(?: and notes)?"
    r"|bibliography|acknowledge?ments?|acknowledge?ment of .*|appendix|appendices|artifact (?:appendix|description).*"
    r"|keywords|works cited|(?:table of )?contents|list of (?:figures|tables)"
    r"|zusammenfassung|einleitung|literatur(?:verzeichnis)?|inhaltsverzeichnis|anhang|danksagung"
    r"|résumé|bibliographie|références|table des matières|resumen|introducción|referencias|bibliografía|índice"
    r"|摘\s*要|目\s*录|参\s*考\s*文\s*献|致\s*谢|附\s*录|结\s*论|引\s*言|绪\s*论",
    re.IGNORECASE,
)
_APPENDIX = re.compile(r"appendi|anhang|附\s*录", re.IGNORECASE)
_RUN_IN = re.compile(r"(abstract|index terms|keywords|摘\s*要|关\s*键\s*词)\s*[-—–:：.]", re.IGNORECASE)
_ALONE = re.compile(r"\d{1,2}|[A-Z]|[IVX]{1,5}")
_LONGEST = 200
# So many numbered headings show that the paper numbers its sections.
_ENOUGH = 3
# Of the font size: the gap behind a number, wider than a blank.
_QUAD = 0.45


@dataclass(slots=True)
class Heading:
    """A heading found: the section and the lines that it is printed on; none when it opens a paragraph."""

    section: Section
    lines: list[Line] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Candidate:
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
    def way(self) -> tuple[Kind, int, bool]:
        """What headings of one level share besides their look."""
        return self.numbered.kind, self.numbered.number.count("."), self.run_in


def find_headings(lines: Sequence[Line], style: Style, bookmarks: Callable[[], Bookmarks]) -> list[Heading]:
    """Find the headings among the body lines of a paper.

    Args:
        lines: All body lines in reading order, without the title.
        style: What is usual in the paper.
        bookmarks: Gives the file's bookmarks, empty when it has none; asked only when the lines alone do not tell.

    Returns:
        The headings in reading order.
    """
    setting = Setting(lines, style)
    finder = _Finder(setting, {})
    found = finder.find()
    if finder.in_doubt and (told := bookmarks()):
        marks = {page: {_key(title): depth for title, depth in titles} for page, titles in told.items()}
        found = _Finder(setting, marks).find()
    return found


class _Finder:
    def __init__(self, setting: Setting, marks: Mapping[int, Mapping[str, int]]) -> None:
        self._setting = setting
        self._lines = setting.lines
        self._style = setting.style
        self._marks = marks
        self._contents = contents_lines(setting.lines, setting.style)
        self._numbering = Numbering()
        self._behind = False
        self._found: dict[int, Heading] = {}
        self.in_doubt = False

    def find(self) -> list[Heading]:
        candidates = _without_lists(self._candidates())
        looks = _usual_looks(candidates)
        at: dict[int, list[_Candidate]] = {}
        for candidate in candidates:
            at.setdefault(candidate.index, []).append(candidate)
        index = 0
        while index < len(self._lines):
            heading = self._numbered(at.get(index, ()), looks) or self._named(index)
            if heading is None:
                index += 1
                continue
            self._found[index] = heading
            index += max(len(heading.lines), 1)
            title = heading.section.title
            if not heading.section.number and _APPENDIX.match(title):
                self._numbering.open_appendix()
            self._behind = self._behind or bool(_APPENDIX.match(title) or REFERENCES.fullmatch(title))
        self._add_unnumbered()
        return [self._found[index] for index in sorted(self._found)]

    def _candidates(self) -> Iterator[_Candidate]:
        for index, line in enumerate(self._lines):
            if not MAYBE.match(line.text) or index in self._contents or self._is_other(line):
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
                    confirmed = _key(numbered.number + numbered.title) in marked or _key(numbered.title) in marked
                    if distinct or confirmed or self._is_plain(index):
                        look = look_of(self._lines[index + count - 1])
                        yield _Candidate(index, count, numbered, look, distinct, confirmed)
                if read:
                    break

    def _read(self, index: int, extent: int) -> Iterator[tuple[Numbered, int]]:
        """Give the readings of lines as number and title, and how many lines these take."""
        group = self._lines[index : index + extent]
        text = _text(group)
        below = index + extent
        if extent == 1 and (_ALONE.fullmatch(text) or any(not read.title for read in parse_number(text))):
            if not self._is_titled_below(index):
                return
            extent += self._setting.extent(below)
            text = f"{text} {_text(self._lines[below : index + extent])}"
        if len(text) > _LONGEST or LEADERS.search(text):
            return
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
            and text[-1] not in ".,;:!?。，；："
            and self._lines[index].size > 0.95 * self._style.size
        )

    def _run_in(self, index: int) -> _Candidate | None:
        """Read the number and title, in a look of their own, that the text of a paragraph goes on behind."""
        spans = self._lines[index].spans
        body = self._style.fonts if self._style.fonts else frozenset({self._style.font})
        own = spans[0].font.name != self._style.font
        end = next((at for at in range(1, len(spans)) if spans[at].font.name == self._style.font), len(spans))
        if not own and (not re.fullmatch(r"[\d.]+\.?|[A-Z][\d.]*", spans[0].text) or end < 2):
            end = next((at for at in range(2, len(spans)) if spans[at].font.name == self._style.font), len(spans))
            if end < 3 or spans[1].font.name == self._style.font:
                return None
        if end in (1, len(spans)) or spans[0].font.math or spans[0].font.mono or not body:
            return None
        head = Line(list(spans[:end])).settle()
        title_font = look_of_spans(spans[1:end])[1] if end > 1 else ""
        text = readable(head.text).strip()
        if text[-1:] not in ".:" or len(text) > 120 or (not own and title_font == self._style.font):
            return None
        for numbered in parse_number(text):
            deep = "." in numbered.number and numbered.kind in ("numeric", "letter", "mixed")
            same = own and look_of_spans(spans[:1])[1] == title_font
            if (deep or (numbered.kind == "small" and same)) and self._is_titled(numbered, self._lines[index]):
                return _Candidate(index, 1, numbered, look_of(head), distinct=True, run_in=True)
        return None

    def _numbered(
        self, candidates: Sequence[_Candidate], looks: Mapping[tuple[Kind, int, bool], tuple[Look, set[str]]]
    ) -> Heading | None:
        roman = looks.get(("roman", 0, False))
        for candidate in candidates:
            numbered = candidate.numbered
            usual = looks.get(candidate.way)
            if not candidate.marked and (usual is None or not _fits(candidate, *usual)):
                continue
            if numbered.loose and not candidate.marked and not self._is_set_apart(candidate):
                continue
            main = roman is not None and candidate.look == roman[0]
            place = self._numbering.place(numbered, main=main)
            if place is None:
                continue
            self._numbering.add(place[0], "appendix" if main and numbered.kind == "letter" else numbered.kind)
            self._behind = self._behind or numbered.kind in ("letter", "appendix")
            group = list(self._lines[candidate.index : candidate.index + candidate.extent])
            if candidate.run_in:
                title = numbered.title.rstrip(" .:")
                return Heading(Section(place[0], title, place[1], group[0].page, group[0].number))
            return _made(group, numbered, *place)
        return None

    def _is_set_apart(self, candidate: _Candidate) -> bool:
        """Tell whether a letter is a number and not the first word of the title."""
        first, *others = self._lines[candidate.index].spans
        if others and first.text == candidate.numbered.number:
            gap = others[0].x0 - first.x1
            return gap > _QUAD * first.size or (self._behind and gap > 0)
        return candidate.extent > 1

    def _named(self, index: int) -> Heading | None:
        line = self._lines[index]
        if index in self._contents or len(line.text) > _LONGEST:
            return None
        distinct = self._setting.distinct[index]
        match = _RUN_IN.match(line.text)
        if match is None and (len(line.text) > 60 or not (distinct or self._setting.is_apart(index))):
            return None
        if self._is_other(line):
            return None
        text = readable(line.text).strip()
        if match:
            apart = self._setting.is_apart(index)
            if apart or stands_out(Line(line.spans[:1]).settle(), self._style):
                return Heading(Section("", _named(match.group(1)), 1, line.page, line.number))
        if NAMED.fullmatch(text.strip(" .:")):
            return _made([line], None, "", 1)
        return None

    def _add_unnumbered(self) -> None:
        others = {index for index, line in enumerate(self._lines) if self._setting.distinct[index] and self._is_other(line)}
        taken = self._contents | others
        levels: dict[Look, int] = {}
        numbered = 0
        for index, heading in self._found.items():
            taken.update(range(index, index + max(len(heading.lines), 1)))
            small = not heading.section.number and self._lines[index].size < 0.97 * self._style.size
            if heading.lines and self._setting.distinct[index] and not small:
                levels.setdefault(look_of(heading.lines[-1]), heading.section.level)
            numbered += bool(heading.section.number)
        search = Unnumbered(self._setting, levels, taken, early=not self._found)
        for index, (extent, level) in search.find(self._marks, _key).items():
            self._found[index] = _made(list(self._lines[index : index + extent]), None, "", level)
        self.in_doubt = numbered < _ENOUGH or search.left_over > 0

    def _is_other(self, line: Line) -> bool:
        """Tell whether a line is figure text or code."""
        in_code = line.code > 0.9 and bool(self._style.code) and line.size <= self._style.size
        return in_code or line.listed or (line.figure > 0.5 and self._style.forms)

    def _is_titled(self, numbered: Numbered, line: Line) -> bool:
        title = numbered.title
        if line.is_raised(line.spans[0]) or not re.search(r"[^\W\d_]{2}", title):
            return False
        deep = "." in numbered.number
        if title[0].islower() and not deep and line.size < 1.05 * self._style.size:
            return False
        return not title.endswith((";", ",")) and (not title.endswith(".") or len(title) < 60)


def _without_lists(candidates: Iterator[_Candidate]) -> list[_Candidate]:
    """Leave out numbered lines that follow each other with no text between, as the items of a list do."""
    kept: list[_Candidate] = []
    listed: set[int] = set()
    ends: dict[tuple[int, Kind, int], _Candidate] = {}
    for candidate in candidates:
        kept.append(candidate)
        before = ends.get((candidate.index, *candidate.way[:2]))
        if before is not None and not candidate.marked:
            listed |= {before.index, candidate.index}
        ends[candidate.index + candidate.extent, *candidate.way[:2]] = candidate
    return [candidate for candidate in kept if candidate.index not in listed]


def _usual_looks(candidates: Sequence[_Candidate]) -> dict[tuple[Kind, int, bool], tuple[Look, set[str]]]:
    """Return for each way of counting the look that most of its headings have, and the numbers that have it."""
    ways: dict[tuple[Kind, int, bool], dict[tuple[Look, bool], set[str]]] = {}
    for candidate in candidates:
        looks = ways.setdefault(candidate.way, {})
        looks.setdefault((candidate.look, candidate.distinct), set()).add(candidate.numbered.number)
    usual = {}
    for way, looks in ways.items():

        def rank(item: tuple[tuple[Look, bool], set[str]]) -> tuple[bool, int, float]:
            ((size, _), distinct), numbers = item
            return distinct and len(numbers) > 1, len(numbers), size

        (look, distinct), numbers = max(looks.items(), key=rank)
        # Lines that look like text are headings when there are several of them, or when their numbers are long.
        if distinct or way[1] or len(numbers) >= _ENOUGH:
            usual[way] = (look, numbers)
    return usual


def _fits(candidate: _Candidate, look: Look, numbers: set[str]) -> bool:
    """Tell whether a heading looks like the others of its level, or fills a gap that they leave."""
    if candidate.look == look:
        return True
    number = candidate.numbered.number
    return candidate.distinct and number not in numbers and (bool(candidate.way[1]) or max(numbers) > number)


def _text(group: Sequence[Line]) -> str:
    return readable(" ".join(part.text for part in group)).strip()


def _made(group: list[Line], numbered: Numbered | None, number: str, level: int) -> Heading:
    """Make the heading, with its small capitals in lower case."""
    for line in group:
        lower_small_capitals(line)
    text = _text(group)
    if numbered is not None:
        title = next((read.title for read in parse_number(text) if read.kind == numbered.kind), numbered.title)
        title = title.strip()
    else:
        title = _named(text.strip(" .:"))
    return Heading(Section(number, title, level, group[0].page, group[0].number), group)


def _named(title: str) -> str:
    """Return a usual name such as ABSTRACT in usual letters; other titles stay."""
    return title.capitalize() if title.isupper() and NAMED.fullmatch(title) else title


def lower_small_capitals(line: Line) -> None:
    """Put small capitals in lower case: capitals of a smaller size beside capitals of the full size."""
    spans = [span for span in line.spans if not span.font.mono and any(char.isalpha() for char in span.text)]
    if not spans or any(char.islower() for span in spans for char in span.text):
        return
    full = max(span.size for span in line.spans)
    small = [span for span in spans if 0.6 * full < span.size < 0.92 * full]
    if small and any(span.size > 0.92 * full for span in line.spans):
        for span in small:
            span.text = span.text.lower()
        line.settle()


def _key(title: str) -> str:
    return re.sub(r"\W+", "", readable(title)).casefold()
