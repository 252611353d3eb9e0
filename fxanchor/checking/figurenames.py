"""Figures of the paper that a text calls by a title, and what it says is drawn in them."""

import re
from collections.abc import Iterator

from fxanchor.checking.mentions import of_paper
from fxanchor.checking.paperclaims import DRAWN, quotable
from fxanchor.checking.paperfacts import PaperFacts
from fxanchor.checking.reference import Reference, Text
from fxanchor.checking.wording import quotations, sentence, words

_FIGURE_BEHIND = re.compile(r"\s*(?:这|那)?(?:张|幅)?(?:图(?![A-Za-z一-鿿]*\d)|(?:figure|diagram|chart)\b)")
_FIGURE_BEFORE = re.compile(
    r"(?:(?:figure|diagram|chart)\s+(?:called|titled|named|labelled)|(?:名为|题为|标题为))\s*$", re.I
)
_IN_IT = re.compile(
    r"(?:该|此|这张|那张)?图(?:中|里|上)[^，。；！？\n]{2,30}"
    r"|\b(?:in|of) (?:that|this|the) (?:figure|diagram)\b[^.\n]{0,40}"
)


def check_figure_names(text: Text, facts: PaperFacts) -> Iterator[Reference]:
    """Judge the figures that a text names by a title instead of a number.

    Args:
        text: The text.
        facts: The paper.
    """
    plain = text.plain
    for quote in quotations(plain):
        start, end = sentence(plain, quote.start)
        behind = _FIGURE_BEHIND.match(plain, quote.end)
        if not behind and not _FIGURE_BEFORE.search(plain, start, quote.start):
            continue
        if not quotable(quote.words, facts) or not of_paper(plain, start, quote.start):
            continue
        said = f" {' '.join(words(quote.words))} "
        known = [
            figure.label
            for figure in facts.figures.values()
            if said in f" {' '.join(words(figure.caption))} {' '.join(words(figure.body))} "
        ]
        stop = behind.end() if behind else quote.end
        target = f"the figure “{quote.words}”"
        if known:
            yield Reference("figure", quote.start, stop, target, "right", known[0])
            continue
        if not facts.figures or any(
            figure.form in ("", "drawing") and not figure.caption for figure in facts.figures.values()
        ):
            yield Reference("figure", quote.start, stop, target, "cannot tell", "not every figure could be read")
            continue
        evidence = f"no figure of the paper is called or holds “{quote.words}”"
        yield Reference("figure", quote.start, stop, target, "wrong", evidence)
        # What is said to be in a figure that does not exist is in no figure.
        for said_of_it in _IN_IT.finditer(plain, stop, end):
            if DRAWN.search(said_of_it.group()):
                yield Reference("figure", *said_of_it.span(), target, "wrong", evidence)
