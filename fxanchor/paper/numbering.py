"""Section numbers: Arabic, Roman, letters of appendices, Chinese chapters; what they are and which can come next."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

_NUMERIC = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,3})(?:\.\s*|\s+|(?=[A-Z\u4e00-\u9fff]))(?=\S)(?![\d.,]+\s)(.*)")
_ROMAN = re.compile(r"([IVX]{1,5})\.\s*(?=[A-Z])(.*)")
_LETTER = re.compile(r"([A-Z](?:\.\d{1,2}){0,3})(?:\.\s*|\s+)(?=[^\W\d_])(.*)")
_SMALL = re.compile(r"(\d{1,2})\)\s+(?=[A-Z])(.*)")
_APPENDIX = re.compile(r"Appendix\s+([A-Z](?:\.\d+)*)\s*[.:—–-]?\s*(.*)|附录\s*([A-Z])\s*(.*)", re.IGNORECASE)
_CHAPTER = re.compile(r"第\s*([一二三四五六七八九十\d]+)\s*[章节]\s*(.*)")
_DIGITS = "一二三四五六七八九十"
_VALUES = {"I": 1, "V": 5, "X": 10}


@dataclass(frozen=True, slots=True)
class Numbered:
    """A line read as number and title.

    Attributes:
        number: The number as printed, without a dot at its end.
        title: What follows.
        level: 1 for a section, 2 for a subsection and so on.
        kind: Which way of counting it belongs to.
    """

    number: str
    title: str
    level: int
    kind: Literal["numeric", "roman", "letter", "small"]


def parse_number(text: str) -> Numbered | None:
    """Read a line as section number and title, or return None."""
    if match := _APPENDIX.fullmatch(text):
        number = match.group(1) or match.group(3)
        return Numbered(number, match.group(2) or match.group(4) or "", number.count(".") + 1, "letter")
    if match := _CHAPTER.fullmatch(text):
        return Numbered(_chapter(match.group(1)), match.group(2), 1, "numeric")
    if match := _NUMERIC.fullmatch(text):
        return Numbered(match.group(1), match.group(2), match.group(1).count(".") + 1, "numeric")
    if match := _ROMAN.fullmatch(text):
        return Numbered(match.group(1), match.group(2), 1, "roman")
    if match := _LETTER.fullmatch(text):
        return Numbered(match.group(1), match.group(2), match.group(1).count(".") + 1, "letter")
    if match := _SMALL.fullmatch(text):
        return Numbered(match.group(1), match.group(2), 3, "small")
    return None


def _chapter(text: str) -> str:
    if text.isdigit():
        return text
    if "十" in text:
        tens, _, ones = text.partition("十")
        return str((_DIGITS.index(tens) + 1 if tens else 1) * 10 + (_DIGITS.index(ones) + 1 if ones else 0))
    return str(_DIGITS.index(text) + 1) if text in _DIGITS else text


def roman_value(text: str) -> int:
    """Return the value of a Roman number of the size that sections have, or 0."""
    total = 0
    for char, after in zip(text, text[1:] + " ", strict=False):
        value = _VALUES.get(char)
        if value is None:
            return 0
        total += -value if value < _VALUES.get(after, 0) else value
    return total


def full_number(numbered: Numbered, before: Sequence[str], *, appendix: bool) -> tuple[str, int] | None:
    """Return the full number and level of a heading, or None when it cannot come here.

    A subsection `B` of section `IV` is `IV-B`, as such papers cite it, and its part `2)` is `IV-B2`.

    Args:
        numbered: The heading.
        before: The full numbers found so far, in order.
        appendix: Whether the paper is in its appendix, where letters count on their own.
    """
    last = before[-1] if before else ""
    top = last.split("-")[0]
    if numbered.kind == "roman":
        values = [value for number in before if (value := roman_value(number.split("-")[0]))]
        value = roman_value(numbered.number)
        reached = values[-1] if values else 0
        return (numbered.number, 1) if reached < value <= reached + 2 else None
    if numbered.kind == "small":
        above = re.match(r"[IVX]+(?:-[A-Z])?(?=\d|$)", last)
        return (f"{above.group()}{numbered.number}", 3) if above else None
    if numbered.kind == "letter":
        return _lettered(numbered, before, "" if appendix or not roman_value(top) else top)
    return (numbered.number, numbered.level) if _numeric_follows(numbered.number, before) else None


def _lettered(numbered: Numbered, before: Sequence[str], under: str) -> tuple[str, int] | None:
    parts = numbered.number.split(".")
    if len(parts) > 1:
        return (numbered.number, numbered.level) if ".".join(parts[:-1]) in before else None
    prefix = f"{under}-" if under else ""
    used = [number[len(prefix)] for number in before if re.fullmatch(re.escape(prefix) + r"[A-Z]\d*", number)]
    expected = chr(ord(max(used)) + 1) if used else "A"
    if numbered.number != expected:
        return None
    return (f"{prefix}{numbered.number}", 2) if under else (numbered.number, 1)


def _numeric_follows(number: str, before: Sequence[str]) -> bool:
    values = [int(part) for part in number.split(".")]
    numeric = [known for known in before if known[0].isdigit()]
    if not numeric:
        return len(values) <= 2 and values[0] <= 2 and all(value <= 2 for value in values[1:])
    previous = [int(part) for part in numeric[-1].split(".")]
    if values <= previous:
        return False
    depth = next((at for at, (old, new) in enumerate(zip(previous, values, strict=False)) if old != new), len(previous))
    rest = values[depth:]
    step = rest[0] - (previous[depth] if depth < len(previous) else 0)
    # One heading may have been missed, so a step of two is taken as well.
    return 1 <= step <= 2 and all(value <= 2 for value in rest[1:])
