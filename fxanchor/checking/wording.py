"""Words, sentences and quotations of a text, in English and Chinese."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from fxanchor.checking.vocabulary import vocabulary

_WORD = re.compile(r"[^\W_一-鿿]+(?:_+[^\W_一-鿿]+)*|[一-鿿]")
_STOP = re.compile(r"[。！？!?；;\n]|\.(?=[\s”\"')）]|$)")
_LONGEST = 1500
_NO_STOP = re.compile(r"(?:\b(?:Figs?|Secs?|Sect|Tabs?|Eqs?|vs|cf|e\.g|i\.e|al|Dr|No|pp?|approx)|\b[A-Z])\.$")
_QUOTES = re.compile(
    r"“([^“”\n]{2,400})”|「([^「」\n]{2,400})」|『([^『』\n]{2,400})』"
    r"|(?<![A-Za-z0-9_\"=])\"([^\"\n]{2,400})\"(?![A-Za-z0-9_\"])|(?<!\w)‘([^‘’\n]{8,400})’(?!\w)"
)
_STOPWORDS = vocabulary("stopwords")


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words in quotation marks.

    Attributes:
        start: Index of the opening mark.
        end: Index behind the closing mark.
        words: What stands between them.
    """

    start: int
    end: int
    words: str


def words(text: str) -> list[str]:
    """Return the words of a text without marks and capitals, each Chinese character as a word."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def stem(word: str) -> str:
    """Return an English word without its commonest endings, so that forms of one word compare equal."""
    for ending in ("izations", "ization", "ations", "ation", "ings", "ing", "ions", "ion", "ers", "er", "ies", "ied"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    for ending in ("ed", "es", "s", "e", "y", "al", "ly"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)].removesuffix("iz")
    return word


def content_words(text: str) -> list[str]:
    """Return the words that say what an English text is about, as written but for capitals."""
    found = re.findall(r"[A-Za-z][A-Za-z'-]+", text)
    return [word.casefold() for word in found if word.casefold() not in _STOPWORDS and len(word) > 2]


def is_chinese(text: str) -> bool:
    """Tell whether a text has Chinese characters."""
    return bool(re.search(r"[一-鿿]", text))


@lru_cache(maxsize=4)
def _stops(text: str) -> tuple[int, ...]:
    found = []
    for match in _STOP.finditer(text):
        if match.group() != "." or not _NO_STOP.search(text[max(0, match.start() - 8) : match.end()]):
            found.append(match.end())
    return tuple(found)


def sentence(text: str, at: int) -> tuple[int, int]:
    """Return the start and the end of the sentence around an index; a line break ends one too, and so does length."""
    stops = _stops(text)
    number = bisect_right(stops, at)
    start, end = (stops[number - 1] if number else 0), (stops[number] if number < len(stops) else len(text))
    return max(start, at - _LONGEST), min(end, at + _LONGEST)


@lru_cache(maxsize=4)
def quotations(text: str) -> tuple[Quotation, ...]:
    """Return the quotations of a text in its order."""
    return tuple(
        Quotation(match.start(), match.end(), next(group for group in match.groups() if group))
        for match in _QUOTES.finditer(text)
    )


def following(text: str, pattern: "re.Pattern[str]", start: int, end: int) -> Iterator["re.Match[str]"]:
    """Give the matches of a pattern between two indices."""
    yield from pattern.finditer(text, start, end)
