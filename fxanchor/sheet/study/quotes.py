"""The sentences of a paper that say most: which problem it has, what it does about it, and what a thing is."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fxanchor.concepts.concept import Mention
from fxanchor.paper.document import Paper

# How a paper announces what it does. The abstract comes before the rest of the paper.
_WHO = r"\b(we|this (paper|work|article))\b"
_ANNOUNCES = re.compile(
    rf"{_WHO} (\w+ )?(present|propose|introduce|describe|appl|develop|design|create|built|build|stud|show)"
    r"|本文(提出|介绍|设计|实现)|本文"
)
# How it says what is wrong before it.
_PROBLEM = re.compile(
    r"^(however|but|unfortunately|yet|nevertheless)\b|\b(lacks?|suffers?|challeng\w+|difficult\w*|expensive|limitations?"
    r"|needs? to|problems?|bottlenecks?|fails?|costly)\b|然而|但是|难以|问题"
)
_ANNOUNCED_BY_PAGE = 3
# What makes a sentence tell what a thing is, right behind the thing's name.
_DEFINES = re.compile(
    r"^\W*(s\b)?\W*(\w+ )?(is|are|takes?|represents?|stores?|controls?|provides?|contains?|can|records?)\b"
)
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+(?=[A-Z“\"(\d]|[一-鿿])")
_ENDS = (".", "!", "?", "。", "！", "？", ":", ".)", "”", '"')


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence of the paper and where it stands.

    Attributes:
        text: As the paper has it.
        section: Number of the section, or its title where it has no number.
        page: 1-based page.
        line: 1-based line of the page.
    """

    text: str
    section: str
    page: int
    line: int


def problem(paper: Paper) -> Quote | None:
    """Return the sentence of the abstract that says what is wrong or missing, or None."""
    for quote in _opening(paper):
        text = quote.text.lower()
        if _PROBLEM.search(text) and not re.search(_WHO, text):
            return quote
    return None


def purpose(paper: Paper) -> Quote | None:
    """Return the first sentence in which the paper announces what it does, rather one that names its subject."""
    announced = [quote for quote in _first_sentences(paper) if _ANNOUNCES.search(quote.text.lower())]
    subject = paper.title.partition(":")[0].strip().lower() if ":" in paper.title else ""
    naming = [quote for quote in announced if subject and subject in quote.text.lower()]
    return next(iter(naming or announced), None)


def quotes_of(mentions: Sequence[Mention], most: int) -> tuple[Quote, ...]:
    """Return the sentences that say most about a concept, in the order of the paper.

    Args:
        mentions: Where the paper speaks of it.
        most: How many at most.
    """
    good = [mention for mention in mentions if mention.status in ("linked", "moved")]
    whole = [mention for mention in good if mention.where == "listing" or _is_sentence(mention)]
    chosen: dict[str, Mention] = {}
    for mention in sorted(whole or good, key=_telling, reverse=True):
        chosen.setdefault(mention.context.strip(), mention)
    first = sorted(list(chosen.values())[:most], key=lambda mention: (mention.page, mention.line))
    return tuple(Quote(one.context.strip(), one.section, one.page, one.line) for one in first)


def _opening(paper: Paper) -> Iterator[Quote]:
    """Give the sentences of the section that the paper begins with, its abstract where it has one."""
    section: str | None = None
    for quote in _first_sentences(paper):
        if section is None:
            section = quote.section
        if quote.section != section:
            return
        yield quote


def _first_sentences(paper: Paper) -> Iterator[Quote]:
    """Give the sentences of the paper's first pages."""
    for passage in paper.passages:
        if passage.role != "prose":
            continue
        start = 0
        for sentence in _SENTENCE.split(passage.text):
            at = passage.text.index(sentence, start)
            start = at + len(sentence)
            if not sentence.strip():
                continue
            place = passage.place(at, start)
            if place.page > _ANNOUNCED_BY_PAGE:
                return
            if sentence.strip().endswith(_ENDS):
                yield Quote(sentence.strip(), passage.section, place.page, place.line)


def _is_sentence(mention: Mention) -> bool:
    return mention.where == "prose" and mention.context.strip().endswith(_ENDS)


def _telling(mention: Mention) -> int:
    """Return how much a sentence tells about what it names: what it is, before that it is there."""
    text = mention.context.strip()
    at = text.find(mention.surface)
    behind = text[at + len(mention.surface) :]
    return 4 * _is_sentence(mention) + 3 * bool(_DEFINES.match(behind)) + 2 * (0 <= at <= 12) + (60 <= len(text) <= 320)
