"""Find the places of running text that may name a definition."""

import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from fxanchor.concepts.concept import Where
from fxanchor.concepts.evidence import Candidate
from fxanchor.concepts.words import ADDRESS, KIND_OF_NAME, NAME, OPENER, is_shaped, sentences, singulars
from fxanchor.paper.document import Paper, Passage, Role

# The reference list names other works; text inside a figure labels its drawing.
WHERE: Final[dict[Role, Where]] = {
    "prose": "prose",
    "footnote": "prose",
    "table": "prose",
    "heading": "heading",
    "title": "heading",
    "caption": "caption",
}
# Longer than any name that a person wrote.
_MAX_NAME = 200
_MAX_SENTENCE = 2000
_LATIN = frozenset({"e.g", "i.e", "et.al", "a.k.a", "w.r.t", "i.i.d", "vs", "etc", "cf", "Fig", "Eq", "Sec"})
FILE: Final = re.compile(
    r"\.(?:jl|js|cpp|cc|cu|h|hpp|rs|go|md|txt|json|yaml|yml|org|com|net|io|edu|pdf|html?|sh|"
    r"cfg|csv|ini|log|png|sqlite3?|svg|toml|xml|zip)$"
)
_HEAD = re.compile(r"(?<![A-Za-z0-9_.])[A-Za-z_][\w.]*$", re.ASCII)
_TAIL = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\(\s?\))?", re.ASCII)
# `v2.x` is every release of a series.
_RELEASE = re.compile(r"v\d+\.x")


def text_candidates(
    paper: Paper, known: Iterable[str], asked: Iterable[str], is_defined: Callable[[str], bool]
) -> list[Candidate]:
    """Return every place of the running text that looks like a name of a program or is a known or requested word.

    Args:
        paper: The paper.
        known: Last parts of the public names of the packages.
        asked: Words that the user asked for; each is a candidate wherever it stands.
        is_defined: Tells whether anything in the packages is called so: a name that the end of a line cuts is then
            put together again.
    """
    capitals = frozenset(word for word in known if word[:1].isupper())
    wanted = frozenset(asked)
    found: list[Candidate] = []
    for order, passage in enumerate(paper.passages):
        if passage.role in WHERE and passage.text:
            found.extend(_passage_candidates(passage, order, capitals, wanted, is_defined))
    return found


def _passage_candidates(
    passage: Passage,
    order: int,
    capitals: frozenset[str],
    wanted_words: frozenset[str],
    is_defined: Callable[[str], bool],
) -> Iterator[Candidate]:
    """Give the candidates of one passage."""
    text = passage.text
    fonts = CodeFont(passage)
    cut = {word.first: word for word in _cut_words(passage, fonts)}
    pieces = {start for word in cut.values() for start in (word.first, word.second)}
    addresses = [match.span() for match in ADDRESS.finditer(text)]
    around = Sentences(text)
    last = 0
    for match in NAME.finditer(text):
        surface = match.group()
        start = match.start()
        end = start + len(surface)
        whole = cut.get(start) if cut else None
        is_whole = whole is not None and is_shaped(whole.joined) and is_defined(whole.joined.partition("(")[0])
        if whole is not None and is_whole:
            surface, end, last = whole.joined, whole.end, whole.end
        elif surface.islower() and surface.isalpha() and not wanted_words:
            if start < last or not fonts.covers(start, end - surface.endswith("s")):
                continue
        elif start < last or len(surface) > _MAX_NAME:
            continue
        if addresses and any(first <= start < behind for first, behind in addresses):
            continue
        bare = surface.partition("(")[0].strip(".")
        if bare in _LATIN or not bare:
            continue
        stem_end = end - len(surface) + len(surface.partition("(")[0])
        code = fonts.covers(start, stem_end) or (bare.endswith("s") and fonts.covers(start, stem_end - 1))
        wanted = _matches(bare, wanted_words)
        capital = bare[:1].isupper() and (_matches(bare, capitals) or KIND_OF_NAME.match(text, end))
        if not (code or wanted or capital or is_shaped(surface) or surface.startswith(".")):
            continue
        if bare.endswith(".py") or (not code and (FILE.search(bare) or _RELEASE.fullmatch(bare))):
            continue
        if not code and _is_two_sentences(bare):
            continue
        yield Candidate(
            passage=passage,
            order=order,
            start=start,
            end=end,
            surface=surface,
            parts=tuple(bare.split(".")),
            code=code,
            where=WHERE[passage.role],
            sentence=around.at(start),
            asked=wanted,
            is_cut=start in pieces and not is_whole,
        )


def _is_two_sentences(word: str) -> bool:
    """Tell whether a blank is missing behind a full stop, as in `kernel.The`."""
    first, _, second = word.partition(".")
    return OPENER.fullmatch(second) is not None and first.islower() and first not in sys.stdlib_module_names


class CutWord(NamedTuple):
    """A word with the hyphen of a line end in it, of which the hyphen may be a part or not.

    Attributes:
        first: Index of the piece in front of the hyphen.
        second: Index of the piece behind it.
        end: Index behind the whole.
        joined: The whole without the hyphen.
    """

    first: int
    second: int
    end: int
    joined: str


def _cut_words(passage: Passage, fonts: "CodeFont") -> Iterator[CutWord]:
    """Give the words that a line end cuts behind a hyphen; a change of the font parts two words."""
    text = passage.text
    hyphen = text.find("-")
    while hyphen >= 0:
        lines = {(piece.page, piece.line) for piece in passage.pieces_of(hyphen, hyphen + 2)}
        if len(lines) > 1 and fonts.covers(hyphen - 1, hyphen) == fonts.covers(hyphen + 1, hyphen + 2):
            left, right = _HEAD.search(text, max(0, hyphen - _MAX_NAME), hyphen), _TAIL.match(text, hyphen + 1)
            if left and right:
                yield CutWord(left.start(), right.start(), right.end(), left.group() + right.group())
        hyphen = text.find("-", hyphen + 1)


def comment_candidates(passage: Passage, order: int, spans: Iterable[tuple[int, int]]) -> Iterator[Candidate]:
    """Give the name-shaped words of a listing's comments, or of lines that are no Python."""
    for first, last in spans:
        line = passage.text[first:last]
        for match in NAME.finditer(line):
            surface = match.group()
            if len(surface) > _MAX_NAME:
                continue
            # `prim::GetAttr` and `%x.1` are another language's names.
            around = passage.text[max(0, first + match.start() - 2) : first + match.start()]
            bare = surface.partition("(")[0].strip(".")
            if bare not in _LATIN and is_shaped(surface) and not around.endswith(("::", "%", "$", "@")):
                yield Candidate(
                    passage=passage,
                    order=order,
                    start=first + match.start(),
                    end=first + match.end(),
                    surface=surface,
                    parts=tuple(bare.split(".")),
                    code=True,
                    where="listing",
                    sentence=line.strip(),
                )


def _matches(word: str, words: frozenset[str]) -> bool:
    """Tell whether a word or its singular is one of `words`."""
    return word in words or any(single in words for single in singulars(word))


class CodeFont:
    """Where a passage is in the code font."""

    def __init__(self, passage: Passage) -> None:
        self._spans: list[tuple[int, int]] = []
        for piece in passage.pieces:
            if not piece.code:
                continue
            if self._spans and piece.start - self._spans[-1][1] <= 1:
                self._spans[-1] = (self._spans[-1][0], piece.end)
            else:
                self._spans.append((piece.start, piece.end))
        self._starts = [start for start, _ in self._spans]

    def covers(self, start: int, end: int) -> bool:
        """Tell whether all of `start..end` is in the code font."""
        at = bisect_right(self._starts, start) - 1
        return end > start and at >= 0 and self._spans[at][0] <= start and end <= self._spans[at][1]


class Sentences:
    """The sentences of a text, split when first asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._spans: list[tuple[int, int]] = []
        self._ends: list[int] = []
        self._shown: dict[int, str] = {}

    def at(self, index: int) -> str:
        """Return the sentence around an index, blanks evened, and cut where it is longer than anybody writes."""
        if not self._spans:
            self._spans = sentences(self._text) or [(0, len(self._text))]
            self._ends = [end for _, end in self._spans]
        number = min(bisect_right(self._ends, index), len(self._spans) - 1)
        if number not in self._shown:
            start, end = self._spans[number]
            self._shown[number] = " ".join(self._text[start : min(end, start + _MAX_SENTENCE)].split())
        return self._shown[number]
