"""Where a text names a section, figure or table of the paper: `Section 5.2`, `§5.2`, `第5.2节`, `Figure 3`, `图3`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from fxanchor.checking.paperfacts import PaperFacts
from fxanchor.checking.reference import Text
from fxanchor.checking.wording import sentence

_NUMBER = r"(?P<number>\d+(?:\.\d+)*|[A-H](?:\.\d+)*)"
_SECTIONS = (
    re.compile(
        rf"(?<![A-Za-z])(?:(?:Sub)?[Ss]ections?|Sect\.|Secs?\.|Chapters?|Appendix|Appendices)[ ~ ]*{_NUMBER}"
        rf"(?![A-Za-z0-9_%]|\.\d)"
    ),
    re.compile(rf"§§?\s?{_NUMBER}(?![A-Za-z0-9_%]|\.\d)"),
    re.compile(r"第\s*(?P<number>\d+(?:\.\d+)*|[一二三四五六七八九十])\s*(?:小?节|章)"),
    re.compile(r"(?:章节|小节|附录)\s*(?P<number>\d+(?:\.\d+)*|[A-H](?:\.\d+)*)(?![A-Za-z0-9_%]|\.\d)", re.ASCII),
)
_FIGURES = (
    re.compile(
        r"(?<![A-Za-z])(?P<kind>Figures?|Figs?\.?|FIGURE|Tables?|TABLE|Algorithms?|Listings?)[ ~ ]*"
        r"(?P<number>\d+)(?:\s?\(?[a-h]\)?)?(?![\w.]\d|[A-Za-z0-9%])"
    ),
    re.compile(r"(?P<kind>图表|图|表|算法|代码清单)\s?(?P<number>\d+)(?!\s?[个张次步种条行列%\d])"),
)
_KINDS = {"fig": "Figure", "tab": "Table", "alg": "Algorithm", "lis": "Listing"}
_KINDS_ZH = {"图": "Figure", "表": "Table", "图表": "Figure", "算法": "Algorithm", "代码清单": "Listing"}
_CHINESE_DIGITS = "一二三四五六七八九十"
_OF_PAPER = re.compile(r"论文|原文|(?<![A-Za-z])(?:[Pp]apers?|[Aa]uthors?|arXiv|[Mm]anuscript)(?![A-Za-z])|作者")
_OF_ANOTHER = re.compile(
    r"\s*(?:of|in|from)\s+(?:the\s+)?"
    r"(?:\[\d|\(?[A-Z][\w-]+ et al|RFC|PEP|[A-Z][\w-]*\s+(?:paper|manual|docs?|book|spec\w*))"
)
_NEAR = 400


@dataclass(frozen=True, slots=True)
class Mention:
    """A place that names a section, figure or table.

    Attributes:
        kind: What it names.
        start: Index of its first character.
        end: Index behind its last.
        name: `5.2`, or `Figure 3`.
    """

    kind: Literal["section", "figure"]
    start: int
    end: int
    name: str


def find_mentions(text: Text, facts: PaperFacts) -> list[Mention]:
    """Return the places that name a section, figure or table of the paper, in the order of the text.

    One of the text's own sections or figures, or of another document, is left out.

    Args:
        text: The text.
        facts: The paper.
    """
    found = {mention.start: mention for mention in (*_sections(text), *_figures(text))}
    about_paper = of_paper(text.plain, 0, len(text.plain))
    return [found[start] for start in sorted(found) if _is_of_paper(found[start], text, facts, about_paper)]


def of_paper(text: str, start: int, end: int) -> bool:
    """Tell whether words between two indices speak of the paper."""
    return bool(_OF_PAPER.search(text, start, end))


def _sections(text: Text) -> Iterator[Mention]:
    for pattern in _SECTIONS:
        for match in pattern.finditer(text.plain):
            number = match["number"]
            if number in _CHINESE_DIGITS:
                number = str(_CHINESE_DIGITS.index(number) + 1)
            yield Mention("section", match.start(), match.end(), number)


def _figures(text: Text) -> Iterator[Mention]:
    for pattern in _FIGURES:
        for match in pattern.finditer(text.plain):
            word = match["kind"]
            kind = _KINDS_ZH.get(word) or _KINDS[word[:3].lower()]
            yield Mention("figure", match.start(), match.end(), f"{kind} {match['number']}")


def _is_of_paper(mention: Mention, text: Text, facts: PaperFacts, about_paper: bool) -> bool:
    plain = text.plain
    if other := _OF_ANOTHER.match(plain, mention.end):
        title = facts.paper.title.casefold()
        named = re.findall(r"[A-Za-z][\w-]+", other.group().partition(" ")[2])
        return any(word.casefold() in title for word in named if len(word) > 3)
    start, end = sentence(plain, mention.start)
    if of_paper(plain, start, end):
        return True
    if _is_own(mention, text):
        return of_paper(plain, max(0, mention.start - _NEAR), mention.start)
    return about_paper


def _is_own(mention: Mention, text: Text) -> bool:
    """Tell whether the text has a heading or a caption of this number itself."""
    if mention.kind == "section":
        number = re.escape(mention.name)
        return bool(re.search(rf"^[#=\s]*(?:Section\s+|第\s*)?{number}(?:[.、:：\s]|\s*[章节])", text.plain, re.M))
    kind, _, number = mention.name.partition(" ")
    zh = next(word for word, meant in _KINDS_ZH.items() if meant == kind)
    return bool(re.search(rf"^[\s*_>!\[(]*(?:{kind}|{kind[:3]}\.|{zh})\s?{number}\s*[.:：)\]*_]", text.plain, re.M))
