"""The venue and year that a text gives the paper, where the PDF states them."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from fxanchor.checking.paperfacts import PaperFacts
from fxanchor.checking.reference import Reference, Text, Verdict
from fxanchor.checking.vocabulary import vocabulary

_VENUES = vocabulary("venues")
_VENUE = "|".join(sorted(_VENUES, key=lambda venue: (-len(venue), venue)))
_GIVEN = (
    # `那篇ICML 2022论文`, `the MLSys '22 paper`
    re.compile(
        rf"(?<![A-Za-z])(?P<venue>{_VENUE})[\s,]*(?P<year>(?:['’]\d\d|(?:19|20)\d\d))?\s*(?:的|上的)?\s*(?:论文|paper(?![A-Za-z]))"
    ),
    # `published at MLSys 2022`, `发表于ICML 2022`
    re.compile(
        rf"(?:published|appeared|presented|accepted|发表|收录|中稿)\s*(?:in|at|by|to|于|在)?\s*(?:the\s+)?(?:\w+\s+){{0,2}}?"
        rf"(?P<venue>{_VENUE})(?![A-Za-z])[\s,]*(?P<year>['’]\d\d|(?:19|20)\d\d)?"
    ),
)
_NEAR = 200


def check_venue(text: Text, facts: PaperFacts, stated: str) -> Iterator[Reference]:
    """Judge the venue and year that a text gives the paper, where the PDF states them.

    Args:
        text: The text.
        facts: The paper.
        stated: What the PDF says of where it appeared: its metadata and the first page.
    """
    known = {venue for venue in _VENUES if re.search(rf"(?<![A-Za-z]){venue}(?![A-Za-z])", stated)}
    lower = {venue for venue in _VENUES if re.search(rf"(?<![a-z]){venue.lower()}\s+(?:19|20)\d\d", stated)}
    known |= lower
    if not known:
        return
    head = facts.paper.title.partition(":")[0]
    names = {head, *re.findall(r"[A-Za-z][\w-]+", head.rpartition(".")[2])}
    about = re.compile(
        "|".join(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])" for name in names if len(name) > 1), re.I
    )
    for pattern in _GIVEN:
        for match in pattern.finditer(text.plain):
            near = text.plain[max(0, match.start() - _NEAR) : match.end() + _NEAR]
            if head and about.search(near) and not re.search(r"\bet al|等人", near):
                yield _judged(match, known, stated)


def _judged(match: "re.Match[str]", known: set[str], stated: str) -> Reference:
    venue, year = match["venue"], match["year"] or ""
    verdict: Verdict = "right"
    shown = " and ".join(sorted(known))
    evidence, suggestion = f"the PDF names {shown}", ""
    if venue not in known:
        verdict, suggestion = "wrong", shown
    elif year:
        given = year if len(year) == 4 else "20" + year[1:]
        years = set(re.findall(rf"{venue}\D{{0,6}}((?:19|20)\d\d)|((?:19|20)\d\d)\D{{0,40}}{venue}", stated, re.I))
        told = {one for pair in years for one in pair if one}
        if told and given not in told:
            verdict, suggestion = "wrong", f"{venue} {sorted(told)[0]}"
            evidence = f"the PDF says {suggestion}"
        elif told:
            evidence = f"the PDF says {venue} {given}"
    return Reference("venue", match.start(), match.end(), f"{venue} {year}".strip(), verdict, evidence, suggestion)


def stated_venue(path: Path, facts: PaperFacts, password: str | None = None) -> str:
    """Return what a PDF says of where it appeared: its document information and the notes of its first page.

    Args:
        path: The PDF.
        facts: The same, read.
        password: Its password, where it has one.
    """
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    fields: list[str] = []
    try:
        reader = PdfReader(path, password=password)
        information: Mapping[str, object] = reader.metadata or {}
        fields = [str(information.get(key, ""))[:500] for key in ("/Subject", "/Keywords")]
    except (PyPdfError, OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        pass  # a damaged PDF states nothing here; reading its text has already told what is wrong with it
    return "\n".join([*fields, *facts.opening()])
