"""Section numbers, Arabic, Roman, Chinese and letters: how a line reads as number and title, and what can come next."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["numeric", "roman", "mixed", "letter", "appendix", "small", "ideograph", "bracket"]

_DIGITS: Final = "一二三四五六七八九十"
# So many numbers back a number looks for the one that it follows.
_WINDOW: Final = 100
# No book has so many headings; what has is not worth the time.
_MOST: Final = 5_000
_VALUES: Final = {"I": 1, "V": 5, "X": 10}
_WORDS: Final = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip
# What can stand before the number, between the number and the title, and at the start of a title.
_WORD = r"(?:Chapter|Section|Sect\.|Sec\.|Kapitel|Abschnitt|Chapitre|Cap[ií]tulo|§)"
_APPENDIX_WORD = r"(?:Appendix|Anhang|Annexe?|附录)"
_MARK = r"\s*[|:：–—、．]\s*"
_TITLE = r"(?=[^\W\d_a-z])"
_APPENDIX = re.compile(rf"{_APPENDIX_WORD}\s*([A-Z](?:\.\d+)*)(?:\s*[.:：—–|-]\s*|\s+|$)(.*)", re.IGNORECASE)
_CHAPTER = re.compile(rf"第\s*([{_DIGITS}\d]+)\s*([章节])\s*(.*)")
_NAMED = re.compile(
    rf"{_WORD}\s*(\d{{1,2}}(?:\.\d{{1,2}})*|{'|'.join(_WORDS)})(?:{_MARK}|\.\s*|\s+|$)(.*)", re.IGNORECASE
)
_NAMED_ROMAN = re.compile(rf"{_WORD}\s*([IVX]{{1,5}})(?:{_MARK}|\.\s*|\s+|$)(.*)", re.IGNORECASE)
_NUMERIC = re.compile(
    rf"(\d{{1,2}}(?:\.\d{{1,2}}){{0,3}})(?:\.?{_MARK}|\.\s*|\s+|(?=[A-Z][a-z]{{2}}|[A-Z]{{3}}|[\u4e00-\u9fff]))"
    r"(?=[^\s\d)]|\d+[^\W\d]|\d+[- ][^\W\d]{2})(.*)"
)
_ROMAN = re.compile(rf"([IVX]{{1,5}})({_MARK}|\.\s*|\s+){_TITLE}(.*)")
_MIXED = re.compile(r"([IVX]{1,5}[.-][A-Z](?:\.?\d{1,2})?)(?:\.\s*|\s+)(?=[^\W\d_])(.*)")
_LETTER = re.compile(rf"((?i:Section\s|§)\s*)?([A-Z](?:\.\d{{1,2}}){{0,3}})({_MARK}|\.\s*|\s+)(?=[^\W\d_])(.*)")
_SMALL = re.compile(rf"(?:[(（](\d{{1,2}})[)）]|(\d{{1,2}})(?:\)\.?|\.\)))\s*{_TITLE}(.*)")
_IDEOGRAPH = re.compile(rf"([{_DIGITS}]{{1,3}})\s*[、．.]\s*(.*)")
_BRACKET = re.compile(rf"[(（]([{_DIGITS}]{{1,3}})[)）]\s*[、．.]?\s*(.*)")
# A line that is worth reading as number and title.
MAYBE: Final = re.compile(
    rf"[\d(（第{_DIGITS}]|[A-Z](?:[.:|\s]|$)|[IVX]{{1,5}}(?:[-.:|\s]|$)|(?i:{_WORD}|{_APPENDIX_WORD})\s*[\dA-Z{_DIGITS}]"
)


@dataclass(frozen=True, slots=True)
class Numbered:
    """A line read as number and title.

    Attributes:
        number: The number as printed, without a dot at its end; in digits where it is written in words.
        title: What follows; empty when it stands on a line of its own.
        level: 1 for a section, 2 for a subsection and so on, as far as the number alone tells.
        kind: Which way of counting it belongs to.
        loose: Whether the number could be the first word of the title.
    """

    number: str
    title: str
    level: int
    kind: Kind
    loose: bool = False


def parse_number(text: str) -> Iterator[Numbered]:
    """Give the ways to read a line as section number and title, the likeliest first."""
    if match := _APPENDIX.fullmatch(text):
        yield Numbered(match[1].upper(), match[2], match[1].count(".") + 1, "appendix")
    elif (match := _CHAPTER.fullmatch(text)) and _value(match[1]):
        # The sections of a chapter count within it.
        yield Numbered(_value(match[1]), match[3], 1 + (match[2] == "节"), "numeric")
    elif match := _NAMED.fullmatch(text):
        number = _WORDS.get(match[1].lower(), match[1])
        yield Numbered(number, match[2], number.count(".") + 1, "numeric")
    elif match := _NAMED_ROMAN.fullmatch(text):
        yield Numbered(match[1].upper(), match[2], 1, "roman")
    elif match := _NUMERIC.fullmatch(text):
        yield Numbered(match[1], match[2], match[1].count(".") + 1, "numeric")
    elif match := _MIXED.fullmatch(text):
        yield Numbered(match[1], match[2], 3 if match[1][-1].isdigit() else 2, "mixed")
    elif match := _SMALL.fullmatch(text):
        yield Numbered(match[1] or match[2], match[3], 3, "small")
    elif (match := _IDEOGRAPH.fullmatch(text)) and _value(match[1]):
        yield Numbered(_value(match[1]), match[2], 1, "ideograph")
    elif (match := _BRACKET.fullmatch(text)) and _value(match[1]):
        yield Numbered(_value(match[1]), match[2], 2, "bracket")
    else:
        if match := _ROMAN.fullmatch(text):
            yield Numbered(match[1], match[3], 1, "roman", loose=match[2].isspace() and len(match[1]) == 1)
        if match := _LETTER.fullmatch(text):
            loose = match[3].isspace() and len(match[2]) == 1 and not match[1]
            yield Numbered(match[2], match[4], match[2].count(".") + 1, "letter", loose)


def _value(text: str) -> str:
    """Return a Chinese number up to 99 in digits, or "" for what is none."""
    if text.isdecimal():
        return text
    match = re.fullmatch(r"([一二三四五六七八九]?)(十?)([一二三四五六七八九]?)", text)
    if match is None or not text or (match[1] and match[3] and not match[2]):
        return ""
    tens, ten, ones = (_DIGITS.find(part) + 1 if part else 0 for part in match.groups())
    return str((tens or 1) * 10 + ones if ten else tens + ones)


def order_of(number: str) -> tuple[int, str]:
    """Return what sorts the numbers of one way of counting: Roman numbers, digits without dots, or letters."""
    return roman_value(number) or len(number), number


def roman_value(text: str) -> int:
    """Return the value of a Roman number of the size that sections have, or 0."""
    total = 0
    for char, after in zip(text, text[1:] + " ", strict=False):
        value = _VALUES.get(char)
        if value is None:
            return 0
        total += -value if value < _VALUES.get(after, 0) else value
    return total


class Numbering:
    """The numbers found so far in a paper, in order; it tells which can come next."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._latest: dict[Kind, str] = {}
        self._last = self._digits = self._chinese = ""
        # The section whose parts have letters.
        self._above = ""
        # By what stands before it, the last number or letter that was reached.
        self._reached: dict[str, int] = {}
        self._letters: dict[str, str] = {}

    def open_appendix(self) -> None:
        """Let letters count on their own from here on."""
        self._above = ""

    def add(self, number: str, kind: Kind) -> None:
        """Take the full number of the next heading."""
        self._known.add(number)
        self._latest[kind] = self._last = number
        if number[0].isdigit():
            self._digits = number
        if kind in ("ideograph", "bracket"):
            self._chinese = number
        if kind == "roman" or (kind == "appendix" and "roman" in self._latest):
            self._above = number
        if match := re.fullmatch(r"(.*?)(\d+)", number):
            self._reached[match[1]] = int(match[2])
        elif kind in ("letter", "appendix"):
            self._letters[number[:-1]] = number[-1]

    def place(self, numbered: Numbered, *, main: bool) -> tuple[str, int] | None:
        """Return the full number and level of a heading, or None when it cannot come here.

        A subsection `B` of section `IV` is `IV-B`, as such papers cite it, and its part `2)` is `IV-B2`.

        Args:
            numbered: The heading.
            main: Whether it looks like the sections of the paper do, not like their parts.
        """
        number, kind = numbered.number, numbered.kind
        if kind == "roman":
            return (number, 1) if _near(roman_value(number), self._last_value("roman")) else None
        if kind == "mixed":
            return self._mixed(numbered)
        if kind in ("letter", "appendix"):
            return self._lettered(numbered, main=main or kind == "appendix")
        if kind == "ideograph":
            return (number, 1) if _near(int(number), self._last_value("ideograph")) else None
        if kind == "bracket":
            return self._under(self._chinese.split(".")[0] + ".", numbered, 2) if self._chinese else None
        if self._chinese and numbered.level == 1:
            return self._under(self._chinese + ".", numbered, self._chinese.count(".") + 2)
        if self._above and numbered.level == 1:
            kind = "small"
        if kind == "small":
            # Papers count the parts of a lettered section so, with a bracket or without.
            above = re.match(r"[A-Z]+(?:-[A-Z])?(?=\d|$)", self._last)
            return self._under(above.group(), numbered, 3) if above else None
        if numbered.level > number.count(".") + 1:
            chapter = self._last.split(".")[0]
            number, level = (f"{chapter}.{number}", 2) if chapter.isdigit() else (number, 1)
            return (number, level) if self._follows(number) else None
        return (number, numbered.level) if self._follows(number) else None

    def _last_value(self, kind: Kind) -> int:
        last = self._latest.get(kind, "0")
        return int(last) if last.isdigit() else roman_value(last)

    def _under(self, prefix: str, numbered: Numbered, level: int) -> tuple[str, int] | None:
        """Count within a section: one more than the last one there."""
        fits = _near(int(numbered.number), self._reached.get(prefix, 0))
        return (prefix + numbered.number, level) if fits else None

    def _mixed(self, numbered: Numbered) -> tuple[str, int] | None:
        parent = re.split(r"[.-]?(?:\d+|[A-Z])$", numbered.number)[0]
        fits = parent in self._known and numbered.number not in self._known
        return (numbered.number, numbered.level) if fits else None

    def _lettered(self, numbered: Numbered, *, main: bool) -> tuple[str, int] | None:
        parent, _, part = numbered.number.rpartition(".")
        if parent:
            fits = parent in self._known and _near(int(part), self._reached.get(parent + ".", 0))
            return (numbered.number, numbered.level) if fits else None
        prefix = f"{self._above}-" if self._above and not main else ""
        last = self._letters.get(prefix)
        if numbered.number != (chr(ord(last) + 1) if last else "A"):
            return None
        return (prefix + numbered.number, 2 if prefix else 1)

    def _follows(self, number: str) -> bool:
        return follows(_values(number), _values(self._digits) if self._digits else None)


def longest_run(numbers: Sequence[str]) -> set[int]:
    """Return the positions of the numbers in dotted digits that make the longest run, each one followed by the next.

    Items of lists and rows of tables fit in here and there; of two runs of one length the later counts, for a table of
    contents comes first.
    """
    if len(numbers) > _MOST:
        return set(range(len(numbers)))
    values = [_values(number) for number in numbers]
    lengths: list[int] = []
    before: list[int | None] = []
    for at, value in enumerate(values):
        best, came = (1, None) if follows(value, None) else (0, None)
        for earlier in range(max(0, at - _WINDOW), at):
            if lengths[earlier] and lengths[earlier] + 1 >= best and follows(value, values[earlier]):
                best, came = lengths[earlier] + 1, earlier
        lengths.append(best)
        before.append(came)
    run: set[int] = set()
    at_last = max(range(len(values)), key=lambda at: (lengths[at], at), default=None)
    if at_last is None or not lengths[at_last]:
        return run
    step: int | None = at_last
    while step is not None:
        run.add(step)
        step = before[step]
    return run


def _values(number: str) -> tuple[int, ...]:
    return tuple(int(part) for part in number.split("."))


def follows(values: tuple[int, ...], previous: tuple[int, ...] | None) -> bool:
    """Tell whether a dotted number can come behind another one, or first of all."""
    if previous is None:
        return len(values) <= 2 and values[0] <= 2 and all(value <= 2 for value in values[1:])
    if values <= previous:
        return False
    pairs = enumerate(zip(previous, values, strict=False))
    depth = next((at for at, (old, new) in pairs if old != new), len(previous))
    rest = values[depth:]
    step = rest[0] - (previous[depth] if depth < len(previous) else 0)
    # One heading may have been missed, so a step of two is taken as well; the parts of a section can count from 0.
    return (1 if depth < len(previous) else 0) <= step <= 2 and all(value <= 2 for value in rest[1:])


def _near(value: int, reached: int) -> bool:
    """Tell whether a value comes next, where one heading may have been missed."""
    return reached < value <= reached + 2
