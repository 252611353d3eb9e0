"""Section headings: told by their number, their look, their place in the sequence, and the bookmarks of the file."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fxanchor.paper.document import Section
from fxanchor.paper.lines import Line
from fxanchor.paper.repairs import readable
from fxanchor.paper.style import Style, is_bold, is_italic

_NUMERIC = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,3})\.?\s+(?=\S)(?![\d.,]+\s)(.*)")
_ROMAN = re.compile(r"([IVX]{1,5})\.\s+(?=[A-Z])(.*)")
_LETTER = re.compile(r"([A-Z](?:\.\d{1,2}){0,3})\.?\s+(?=[^\W\d_])(.*)")
_SMALL = re.compile(r"(\d{1,2})\)\s+(?=[A-Z])(.*)")
_APPENDIX = re.compile(r"Appendix\s+([A-Z](?:\.\d+)*)\s*[.:—–-]?\s*(.*)|附录\s*([A-Z])\s*(.*)", re.IGNORECASE)
_CHAPTER = re.compile(r"第\s*([一二三四五六七八九十\d]+)\s*[章节]\s*(.*)")
_NAMED = re.compile(
    r"abstract|summary|introduction|background|related work|conclusions?|discussion|references(?: and notes)?|bibliography"
    r"|acknowledge?ments?|acknowledge?ment of .*|appendix|appendices|artifact (?:appendix|description).*|keywords"
    r"|摘\s*要|目\s*录|参\s*考\s*文\s*献|致\s*谢|附\s*录|结\s*论|引\s*言|绪\s*论",
    re.IGNORECASE,
)
REFERENCES = re.compile(
    r"references(?: and notes)?|bibliography|works cited|literature cited|参\s*考\s*文\s*献", re.IGNORECASE
)
_RUN_IN = re.compile(r"(abstract|index terms|keywords|摘\s*要|关\s*键\s*词)\s*[-—–:：.]", re.IGNORECASE)
_DIGITS = "一二三四五六七八九十"


@dataclass(slots=True)
class Heading:
    """A heading found: the section and the lines that it is printed on."""

    section: Section
    lines: list[Line] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Candidate:
    number: str
    title: str
    level: int
    kind: str


def find_headings(
    lines: Sequence[Line], style: Style, bookmarks: Mapping[int, Sequence[tuple[str, int]]]
) -> list[Heading]:
    """Find the headings among the body lines of a paper.

    Args:
        lines: All body lines in reading order.
        style: What is usual in the paper.
        bookmarks: Title and depth of the file's bookmarks by 1-based page; empty when it has none.

    Returns:
        The headings in reading order.
    """
    found: list[Heading] = []
    marks = {page: {_key(title): depth for title, depth in titles} for page, titles in bookmarks.items()}
    unnumbered = _unnumbered_looks(lines, style, marks)
    index = 0
    while index < len(lines):
        size = _extent(lines, index, style)
        group = lines[index : index + size]
        heading = _heading(group, lines, index, style, marks, unnumbered, found)
        if heading is None and size > 1:
            size = 1
            heading = _heading(lines[index : index + 1], lines, index, style, marks, unnumbered, found)
        if heading is not None:
            found.append(heading)
        index += size if heading is not None else 1
    return found


def _key(title: str) -> str:
    return re.sub(r"\W+", "", readable(title)).casefold()


def _look(line: Line) -> tuple[float, str]:
    """Return size and font of the title of a heading: of its last span, for the number can be set otherwise."""
    last = line.spans[-1]
    return round(max(span.size for span in line.spans), 1), last.font.name


def stands_out(line: Line, style: Style) -> bool:
    """Tell whether a whole line is set otherwise than running text: larger, bold, italic or in small capitals."""
    if line.size > 1.08 * style.size:
        return True
    titles = [span for span in line.spans if not re.fullmatch(r"[\d.IVX()A-Z]{1,6}", span.text)] or line.spans
    fonts = {span.font.name for span in titles if not span.font.mono} or {span.font.name for span in titles}
    if style.font not in fonts:
        return all(is_bold(font) or is_italic(font) or font not in style.fonts for font in fonts)
    letters = "".join(span.text for span in titles if span.font.name == style.font)
    sizes = {round(span.size, 1) for span in titles}
    return letters.upper() == letters and len(letters) > 3 and (len(sizes) > 1 or len(line.text) < 40)


def _extent(lines: Sequence[Line], index: int, style: Style) -> int:
    """Count the lines from `index` on that look like one heading over several lines."""
    first = lines[index]
    count = 1
    while count < 4 and index + count < len(lines):
        above, line = lines[index + count - 1], lines[index + count]
        if (
            (line.page, line.column) != (first.page, first.column)
            or not 0 < above.y - line.y < 1.45 * first.size
            or _look(line) != _look(first)
            or not stands_out(line, style)
            or _parse(line.text) is not None
        ):
            break
        count += 1
    return count


def _parse(text: str) -> _Candidate | None:
    text = readable(text).strip()
    if match := _APPENDIX.fullmatch(text):
        number = match.group(1) or match.group(3)
        return _Candidate(number, match.group(2) or match.group(4) or "", number.count(".") + 1, "letter")
    if match := _CHAPTER.fullmatch(text):
        return _Candidate(_chapter(match.group(1)), match.group(2), 1, "numeric")
    if match := _NUMERIC.fullmatch(text):
        return _Candidate(match.group(1), match.group(2), match.group(1).count(".") + 1, "numeric")
    if match := _ROMAN.fullmatch(text):
        return _Candidate(match.group(1), match.group(2), 1, "roman")
    if match := _LETTER.fullmatch(text):
        return _Candidate(match.group(1), match.group(2), match.group(1).count(".") + 1, "letter")
    if match := _SMALL.fullmatch(text):
        return _Candidate(match.group(1), match.group(2), 3, "small")
    return None


def _chapter(text: str) -> str:
    if text.isdigit():
        return text
    if "十" in text:
        tens, _, ones = text.partition("十")
        return str((_DIGITS.index(tens) + 1 if tens else 1) * 10 + (_DIGITS.index(ones) + 1 if ones else 0))
    return str(_DIGITS.index(text) + 1) if text in _DIGITS else text


def _heading(
    group: Sequence[Line],
    lines: Sequence[Line],
    index: int,
    style: Style,
    marks: Mapping[int, Mapping[str, int]],
    unnumbered: Mapping[tuple[float, str], int],
    found: list[Heading],
) -> Heading | None:
    line = group[0]
    text = " ".join(part.text for part in group).strip()
    if (
        len(text) > 200
        or line.figure > 0.5
        and style.forms
        or line.code > 0.9
        and len(style.code) > 0
        and line.size <= style.size
    ):
        return None
    marked = marks.get(line.page, {})
    plain = _key(text)
    candidate = _parse(text)
    apart = _is_apart(lines, index, style)
    if candidate is not None:
        confirmed = plain in marked or _key(candidate.title) in marked
        if (stands_out(line, style) or confirmed) and _follows(candidate, found) and _titled(candidate):
            section = _section(candidate, found, line)
            return Heading(section, list(group))
    title = readable(text).strip(" .:")
    if run_in := _RUN_IN.match(readable(text)):
        name = run_in.group(1)
        if stands_out(Line(line.spans[:1]).settle(), style) or apart:
            return Heading(Section("", name.capitalize(), 1, line.page, line.number), [])
    if _NAMED.fullmatch(title) and len(group) == 1 and (stands_out(line, style) or apart):
        return Heading(Section("", title, 1, line.page, line.number), list(group))
    if plain and plain in marked and stands_out(line, style) and candidate is None:
        return Heading(Section("", title, marked[plain] + 1, line.page, line.number), list(group))
    if candidate is None and apart and stands_out(line, style) and _look(line) in unnumbered and not text.endswith(","):
        return Heading(Section("", title, unnumbered[_look(line)], line.page, line.number), list(group))
    return None


def _titled(candidate: _Candidate) -> bool:
    title = candidate.title
    return (
        bool(re.search(r"[^\W\d_]{2}", title))
        and not title.endswith((";", ","))
        and (not title.endswith(".") or len(title) < 60)
    )


def _is_apart(lines: Sequence[Line], index: int, style: Style) -> bool:
    """Tell whether there is more room above a line than between the lines of a paragraph."""
    line = lines[index]
    if index == 0:
        return True
    above = lines[index - 1]
    if (above.page, above.column) != (line.page, line.column):
        return True
    return above.y - line.y > 1.25 * style.line_step(style.size) or above.y < line.y


def _follows(candidate: _Candidate, found: Sequence[Heading]) -> bool:
    """Tell whether a number can come next; a heading that was missed in between is allowed for."""
    numbers = [heading.section.number for heading in found if heading.section.number]
    last = numbers[-1] if numbers else ""
    if candidate.kind == "roman":
        value = _roman(candidate.number)
        tops = [number.split("-")[0] for number in numbers if _roman(number.split("-")[0])]
        return 0 < value <= (_roman(tops[-1]) if tops else 0) + 2 and value > (_roman(tops[-1]) if tops else 0)
    if candidate.kind == "small":
        return bool(last) and candidate.level == 3
    parts = candidate.number.split(".")
    if candidate.kind == "letter":
        if len(parts) == 1:
            before = [number for number in numbers if re.fullmatch(r"(?:[IVX]+-)?[A-Z]", number)]
            under = last.split("-")[0] if _roman(last.split("-")[0]) else ""
            mine = [number.rsplit("-", 1)[-1] for number in before if not under or number.startswith(f"{under}-")]
            expected = chr(ord(max(mine)) + 1) if mine else "A"
            return candidate.number == expected
        return any(number == ".".join(parts[:-1]) for number in numbers)
    values = [int(part) for part in parts]
    if not numbers or not last[0].isdigit():
        return len(values) <= 2 and values[0] <= 2 and not any(number[0].isdigit() for number in numbers)
    previous = [int(part) for part in last.split(".") if part.isdigit()]
    if values <= previous:
        return False
    depth = next((at for at, (old, new) in enumerate(zip(previous, values, strict=False)) if old != new), len(previous))
    rest = values[depth:]
    step = rest[0] - (previous[depth] if depth < len(previous) else 0) if rest else 0
    return 1 <= step <= 2 and all(value <= 2 for value in rest[1:])


def _roman(text: str) -> int:
    total = 0
    for char, after in zip(text, text[1:] + " ", strict=True):
        value = {"I": 1, "V": 5, "X": 10}.get(char)
        if value is None:
            return 0
        total += -value if value < {"I": 1, "V": 5, "X": 10}.get(after, 0) else value
    return total


def _section(candidate: _Candidate, found: Sequence[Heading], line: Line) -> Section:
    number, level = candidate.number, candidate.level
    last = next((heading.section.number for heading in reversed(found) if heading.section.number), "")
    if candidate.kind == "letter" and level == 1 and _roman(last.split("-")[0]):
        number, level = f"{last.split('-')[0]}-{number}", 2
    elif candidate.kind == "small":
        above = re.match(r"[IVX]+(?:-[A-Z])?|[\dA-Z.]+", last)
        number = f"{above.group() if above else last}{number}"
    return Section(number, candidate.title.strip(), level, line.page, line.number)


def _unnumbered_looks(
    lines: Sequence[Line], style: Style, marks: Mapping[int, Mapping[str, int]]
) -> dict[tuple[float, str], int]:
    """Return the looks that headings without a number have, with their level, in a paper that numbers none."""
    numbered = sum(
        1
        for line in lines
        if stands_out(line, style) and (parsed := _parse(line.text)) and parsed.kind != "small" and _titled(parsed)
    )
    if numbered >= 3:
        return {}
    looks: dict[tuple[float, str], int] = {}
    for index, line in enumerate(lines):
        known = _NAMED.fullmatch(readable(line.text).strip(" .:")) or _key(line.text) in marks.get(line.page, {})
        if known and stands_out(line, style) and _is_apart(lines, index, style):
            looks[_look(line)] = 0
    for rank, look in enumerate(sorted(looks, reverse=True)):
        looks[look] = rank + 1
    return looks
