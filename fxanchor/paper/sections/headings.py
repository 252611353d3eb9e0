"""Section headings: told by their number, their look, their place in the sequence, and the bookmarks of the file."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fxanchor.paper.document import Section
from fxanchor.paper.page.lines import Line
from fxanchor.paper.page.style import Style
from fxanchor.paper.sections.candidates import (
    ENOUGH,
    Candidate,
    Candidates,
    in_sequence,
    is_other,
    key_of,
    text_of,
    usual_looks,
    without_lists,
)
from fxanchor.paper.sections.contents import contents_lines
from fxanchor.paper.sections.looks import Look, Setting, stands_out
from fxanchor.paper.sections.numbering import Numbered, Numbering, parse_number
from fxanchor.paper.sections.unnumbered import Unnumbered
from fxanchor.paper.words.repairs import readable

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
# What is often set otherwise than the sections are.
_OWN_LOOK = re.compile(r"abstract|summary|keywords|(?:table of )?contents|list of .*|摘要|目录", re.IGNORECASE)
_RUN_IN = re.compile(r"(abstract|index terms|keywords|摘\s*要|关\s*键\s*词)\s*[-—–:：.]", re.IGNORECASE)
_SPREAD = re.compile(r"(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])")
_LONGEST = 200
# Of the font size: the gap behind a number, wider than a blank.
_QUAD = 0.45


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
    setting = Setting(lines, style)
    finder = _Finder(setting, {})
    found = finder.find()
    if finder.in_doubt and (told := bookmarks()):
        marks = {page: {key_of(title): depth for title, depth in titles} for page, titles in told.items()}
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
        self._back = self._lettered = False
        self._found: dict[int, Heading] = {}
        self.in_doubt = False

    def find(self) -> list[Heading]:
        candidates = without_lists(Candidates(self._setting, self._contents, self._marks).find())
        looks = usual_looks(candidates)
        roman = looks.get(("roman", 1, False))
        at: dict[int, list[Candidate]] = {}
        for candidate in in_sequence(candidates, looks):
            at.setdefault(candidate.index, []).append(candidate)
        index = 0
        while index < len(self._lines):
            heading = self._numbered(at.get(index, ()), roman[0] if roman else None) or self._named(index)
            if heading is None:
                index += 1
                continue
            self._found[index] = heading
            index += max(len(heading.lines), 1)
            title = heading.section.title
            if not heading.section.number and _APPENDIX.match(title):
                self._numbering.open_appendix()
            self._back = self._back or bool(_APPENDIX.match(title) or REFERENCES.fullmatch(title))
        self._add_unnumbered()
        return [self._found[index] for index in sorted(self._found)]

    def _numbered(self, candidates: Sequence[Candidate], sections: Look | None) -> Heading | None:
        for candidate in candidates:
            numbered = candidate.numbered
            main = self._back and candidate.look == sections
            if numbered.loose and not candidate.marked and not self._is_set_apart(candidate):
                continue
            place = self._numbering.place(numbered, main=main)
            if place is None:
                continue
            self._numbering.add(place[0], "appendix" if main and numbered.kind == "letter" else numbered.kind)
            self._lettered = self._lettered or numbered.kind in ("letter", "appendix")
            group = list(self._lines[candidate.index : candidate.index + candidate.extent])
            if candidate.run_in:
                title = numbered.title.rstrip(" .:")
                return Heading(Section(place[0], title, place[1], group[0].page, group[0].number))
            return _made(group, numbered, *place)
        return None

    def _is_set_apart(self, candidate: Candidate) -> bool:
        """Tell whether a letter is a number and not the first word of the title."""
        first, *others = self._lines[candidate.index].spans
        if others and first.text == candidate.numbered.number:
            gap = others[0].x0 - first.x1
            return gap > _QUAD * first.size or ((self._back or self._lettered) and gap > 0)
        return candidate.extent > 1

    def _named(self, index: int) -> Heading | None:
        line = self._lines[index]
        if index in self._contents or len(line.text) > _LONGEST:
            return None
        distinct = self._setting.distinct[index]
        match = _RUN_IN.match(line.text)
        if match is None and (len(line.text) > 60 or not (distinct or self._setting.is_apart(index))):
            return None
        if is_other(line, self._style):
            return None
        text = readable(line.text).strip()
        if match:
            apart = self._setting.is_apart(index)
            if apart or stands_out(Line(line.spans[:1]).settle(), self._style):
                return Heading(Section("", _named(match.group(1)), 1, line.page, line.number))
        if NAMED.fullmatch(text.strip(" .:")):
            return _made([line], None, "", 1)
        return None

    def _top(self) -> int:
        """Return the depth of the bookmarks of sections: they can stand under one for the whole paper."""
        depths = []
        for heading in self._found.values():
            section = heading.section
            marked = self._marks.get(section.page, {})
            for key in (key_of(section.title), key_of(section.number + section.title)):
                if key in marked:
                    depths.append(marked[key] - section.level + 1)
        return min(depths, default=0)

    def _add_unnumbered(self) -> None:
        distinct = self._setting.distinct
        taken = {index for index, line in enumerate(self._lines) if distinct[index] and is_other(line, self._style)}
        taken |= self._contents
        levels: dict[Look, int] = {}
        numbered = 0
        for index, heading in self._found.items():
            taken.update(range(index, index + max(len(heading.lines), 1)))
            if heading.lines and self._setting.distinct[index] and not _OWN_LOOK.fullmatch(heading.section.title):
                levels.setdefault(self._setting.look(index + len(heading.lines) - 1), heading.section.level)
            numbered += bool(heading.section.number)
        first = min([self._setting.text_begins(), *self._found])
        search = Unnumbered(self._setting, levels, taken, first, numbered >= ENOUGH)
        for index, (extent, level) in search.find(self._marks, self._top()).items():
            self._found[index] = _made(list(self._lines[index : index + extent]), None, "", level)
        self.in_doubt = numbered < ENOUGH or search.left_over > 0


def _made(group: list[Line], numbered: Numbered | None, number: str, level: int) -> Heading:
    """Make the heading, with its small capitals in lower case."""
    for line in group:
        lower_small_capitals(line)
    text = text_of(group)
    if numbered is not None:
        title = next((read.title for read in parse_number(text) if read.kind == numbered.kind), numbered.title)
        title = title.strip()
    else:
        title = _named(text.strip(" .:"))
    return Heading(Section(number, title, level, group[0].page, group[0].number), group)


def _named(title: str) -> str:
    """Return a usual name such as ABSTRACT in usual letters and without blanks between ideographs."""
    title = _SPREAD.sub("", title) if NAMED.fullmatch(title) else title
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
