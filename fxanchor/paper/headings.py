"""Section headings: told by their number, their look, their place in the sequence, and the bookmarks of the file."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fxanchor.paper.document import Section
from fxanchor.paper.lines import Line
from fxanchor.paper.numbering import Numbered, full_number, parse_number
from fxanchor.paper.repairs import readable
from fxanchor.paper.style import Style, is_bold, is_italic

# Title and depth of the bookmarks of a file by 1-based page.
Bookmarks = Mapping[int, Sequence[tuple[str, int]]]
# Font size and name of a heading.
Look = tuple[float, str]

REFERENCES = re.compile(
    r"references(?: and notes)?|bibliography|works cited|literature cited|参\s*考\s*文\s*献", re.IGNORECASE
)
LEADERS = re.compile(r"(?:\.\s?){5,}|…{2,}|(?:·\s?){5,}")
NAMED = re.compile(
    r"abstract|summary|introduction|background|related work|conclusions?|discussion|references(?: and notes)?"
    r"|bibliography|acknowledge?ments?|acknowledge?ment of .*|appendix|appendices|artifact (?:appendix|description).*"
    r"|keywords|works cited|(?:table of )?contents|list of (?:figures|tables)"
    r"|摘\s*要|目\s*录|参\s*考\s*文\s*献|致\s*谢|附\s*录|结\s*论|引\s*言|绪\s*论",
    re.IGNORECASE,
)
_RUN_IN = re.compile(r"(abstract|index terms|keywords|摘\s*要|关\s*键\s*词)\s*[-—–:：.]", re.IGNORECASE)
_LONGEST = 200
# So many numbered headings show that the paper numbers its sections.
_ENOUGH = 3


@dataclass(slots=True)
class Heading:
    """A heading found: the section and the lines that it is printed on; none when it opens a paragraph."""

    section: Section
    lines: list[Line] = field(default_factory=list)


def find_headings(lines: Sequence[Line], style: Style, bookmarks: Callable[[], Bookmarks]) -> list[Heading]:
    """Find the headings among the body lines of a paper.

    Args:
        lines: All body lines in reading order, without the title.
        style: What is usual in the paper.
        bookmarks: Gives the file's bookmarks, empty when it has none; asked only when the lines alone do not tell.

    Returns:
        The headings in reading order.
    """
    return _Finder(lines, style, bookmarks).find()


class _Finder:
    def __init__(self, lines: Sequence[Line], style: Style, bookmarks: Callable[[], Bookmarks]) -> None:
        self._lines = lines
        self._style = style
        self._marks: dict[int, dict[str, int]] = {}
        self._looks: dict[Look, int] = {}
        if self._count_numbered() < _ENOUGH:
            told = bookmarks()
            self._marks = {page: {_key(title): depth for title, depth in titles} for page, titles in told.items()}
            self._looks = self._unnumbered_looks()
        self._found: list[Heading] = []
        self._numbers: list[str] = []
        self._appendix: int | None = None

    def find(self) -> list[Heading]:
        index = 0
        while index < len(self._lines):
            extent = self._extent(index)
            heading = self._heading(index, extent)
            if heading is None and extent > 1:
                extent = 1
                heading = self._heading(index, 1)
            index += extent if heading is not None else 1
            if heading is not None:
                self._found.append(heading)
                if heading.section.number:
                    self._numbers.append(heading.section.number)
                elif re.match(r"appendi|附\s*录", heading.section.title, re.IGNORECASE):
                    self._appendix = len(self._numbers)
        return self._found

    def _heading(self, index: int, extent: int) -> Heading | None:
        group = list(self._lines[index : index + extent])
        line = group[0]
        text = readable(" ".join(part.text for part in group)).strip()
        if len(text) > _LONGEST or LEADERS.search(text) or self._is_other(line):
            return None
        marked = self._marks.get(line.page, {})
        numbered = parse_number(text)
        distinct = stands_out(line, self._style)
        if numbered is not None:
            confirmed = _key(text) in marked or _key(numbered.title) in marked
            place = full_number(numbered, self._numbers[self._appendix or 0 :], appendix=self._appendix is not None)
            if (distinct or confirmed) and place is not None and self._is_titled(numbered, line):
                return _made(group, place[0], place[1])
        apart = self._is_apart(index)
        run_in = _RUN_IN.match(text)
        if run_in and (apart or stands_out(Line(line.spans[:1]).settle(), self._style)):
            return Heading(Section("", _named(run_in.group(1)), 1, line.page, line.number))
        title = text.strip(" .:")
        if NAMED.fullmatch(title) and extent == 1 and (distinct or apart):
            return _made(group, "", 1)
        if numbered is not None or not distinct:
            return None
        if _key(text) and _key(text) in marked:
            return _made(group, "", marked[_key(text)] + 1)
        early = line.page == 1 and not self._found
        if apart and not early and _look(line) in self._looks and not text.endswith(","):
            return _made(group, "", self._looks[_look(line)])
        return None

    def _is_other(self, line: Line) -> bool:
        """Tell whether a line is figure text or code."""
        in_code = line.code > 0.9 and bool(self._style.code) and line.size <= self._style.size
        return in_code or line.listed or (line.figure > 0.5 and self._style.forms)

    def _is_titled(self, numbered: Numbered, line: Line) -> bool:
        title = numbered.title
        if line.is_raised(line.spans[0]) or not re.search(r"[^\W\d_]{2}", title):
            return False
        deep = "." in numbered.number or numbered.kind == "letter"
        if title[0].islower() and not deep and line.size < 1.05 * self._style.size:
            return False
        return not title.endswith((";", ",")) and (not title.endswith(".") or len(title) < 60)

    def _is_apart(self, index: int) -> bool:
        """Tell whether there is more room above a line than between the lines of a paragraph."""
        line = self._lines[index]
        above = self._lines[index - 1] if index else None
        if above is None or (above.page, above.column) != (line.page, line.column):
            return True
        return above.y - line.y > 1.25 * self._style.line_step(self._style.size) or above.y < line.y

    def _extent(self, index: int) -> int:
        """Count the lines from `index` on that look like one heading over several lines."""
        first = self._lines[index]
        count = 1
        if not stands_out(first, self._style):
            return 1
        while count < 4 and index + count < len(self._lines):
            above, line = self._lines[index + count - 1], self._lines[index + count]
            if (
                (line.page, line.column) != (first.page, first.column)
                or not 0 < above.y - line.y < 1.45 * first.size
                or _look(line) != _look(first)
                or not stands_out(line, self._style)
                or parse_number(readable(line.text)) is not None
            ):
                break
            count += 1
        return count

    def _count_numbered(self) -> int:
        """Count the lines that look like numbered headings."""
        count = 0
        for line in self._lines:
            if stands_out(line, self._style) and not LEADERS.search(line.text):
                numbered = parse_number(readable(line.text))
                count += numbered is not None and numbered.kind != "small" and self._is_titled(numbered, line)
        return count

    def _unnumbered_looks(self) -> dict[Look, int]:
        """Return the looks that headings without a number have, with their level, in a paper that numbers none."""
        looks: set[Look] = set()
        for index, line in enumerate(self._lines):
            if not stands_out(line, self._style) or LEADERS.search(line.text):
                continue
            known = NAMED.fullmatch(readable(line.text).strip(" .:"))
            if (known or _key(line.text) in self._marks.get(line.page, {})) and self._is_apart(index):
                looks.add(_look(line))
        return {look: rank for rank, look in enumerate(sorted(looks, reverse=True), 1)}


def _made(group: list[Line], number: str, level: int) -> Heading:
    """Make the heading, with its small capitals in lower case."""
    for line in group:
        lower_small_capitals(line)
    text = readable(" ".join(part.text for part in group)).strip()
    parsed = parse_number(text) if number else None
    title = parsed.title.strip() if parsed is not None else _named(text.strip(" .:"))
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


def _look(line: Line) -> Look:
    """Return size and font of the title of a heading: of its last span, for the number can be set otherwise."""
    return round(max(span.size for span in line.spans), 1), line.spans[-1].font.name


def stands_out(line: Line, style: Style) -> bool:
    """Tell whether a whole line is set otherwise than running text: larger, bold, italic or in small capitals."""
    if line.size > 1.08 * style.size:
        return True
    if (
        max(span.size for span in line.spans) < 0.94 * style.size
        and not is_bold(line.font)
        and not is_italic(line.font)
    ):
        return False
    # The usual case, told at once: small letters in the font of the running text.
    if any(
        span.font.name == style.font and not span.font.mono and span.text != span.text.upper() for span in line.spans
    ):
        return False
    titles = [span for span in line.spans if not re.fullmatch(r"[\d.IVX()A-Z]{1,6}", span.text)] or line.spans
    fonts = {span.font.name for span in titles if not span.font.mono} or {span.font.name for span in titles}
    if style.font not in fonts:
        return all(is_bold(font) or is_italic(font) or font not in style.fonts for font in fonts)
    letters = "".join(span.text for span in titles if span.font.name == style.font)
    sizes = {round(span.size, 1) for span in titles}
    return letters.upper() == letters and len(letters) > 3 and (len(sizes) > 1 or len(line.text) < 40)
