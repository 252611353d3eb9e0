"""Words that a text attributes to the paper as a whole."""

import re
from collections.abc import Iterator, Sequence

from fxanchor.checking.paperclaims import judge_quote, quotable
from fxanchor.checking.paperfacts import PaperFacts
from fxanchor.checking.pronouns import is_paper
from fxanchor.checking.reference import Reference, Text
from fxanchor.checking.wording import is_chinese, quotations, sentence

_REACH = 48
_SOURCE = re.compile(
    r"(?P<paper>论文|原文|摘要|作者|(?<![A-Za-z])(?:[Tt]he|[Tt]his|[Tt]heir|original)\s+(?:\w+\s+)?(?:paper|authors|abstract)(?![A-Za-z])"
    r"|(?<![A-Za-z])[Aa]uthors?(?![A-Za-z]))"
)
# What a sentence must be to the quotation, when `It` stands for the paper: nothing else has come in between.
_IT = re.compile(
    r"\s*(?P<paper>It)(?=\s+(?:also |even |then |never )?"
    r"(?:says?|states?|claims?|writes?|reads?|notes?|argues?|promises?)\s*(?:that)?\s*[:,]?\s*$)"
)
_SAYS = re.compile(
    r"说|写|提到|提出|描述|强调|出现|称|所谓|指出|声称|承诺|原话|原句"
    r"|\b(?:sa(?:y|id|ys)|stat(?:e|es|ed)|writes?|wrote|claim(?:s|ed)?|calls?|put(?:s)? it|argues?|describes?|notes?"
    r"|mentions?|defines?|reads?|quot(?:e|es|ed|ing)|promises?|in (?:its|their) words|according to)\b",
    re.I,
)
_OTHER = re.compile(
    r"源码|源代码|注释|文档|报错|(?<![A-Za-z])(?:docstring|comment|docs|documentation|source|code|README|blog|I|we|you)(?![A-Za-z])"
)
_DENIED = re.compile(
    r"没有?(?:说|提|写|出现|强调|用过?)|从未|并未|未(?:提|说|曾)"
    r"|\b(?:never|does not|doesn't|did not|nowhere|not once)\b",
    re.I,
)


def check_paper_quotes(text: Text, facts: PaperFacts, taken: Sequence[Reference]) -> Iterator[Reference]:
    """Judge the quotations that a text attributes to the paper without a place.

    Args:
        text: The text.
        facts: The paper.
        taken: References found already; a quotation in one of them has been judged.
    """
    for quote in quotations(text.plain):
        if any(one.start < quote.end and quote.start < one.end for one in taken) or not quotable(quote.words, facts):
            continue
        start, _ = sentence(text.plain, quote.start)
        before = text.plain[max(start, quote.start - _REACH) : quote.start]
        source = next(reversed(list(_SOURCE.finditer(before))), None)
        if source is None and is_paper(text.plain, quote.start):
            source = _IT.match(before)
        if source is None:
            continue
        between = before[source.end() :]
        if _OTHER.search(between) or re.search(r"[。；;]|[，,]\s*(?:但|而|却|我|but\b|I\b|we\b)", between):
            continue
        # `论文里的“...”` is a source by itself; in English so is only what the paper says, calls or writes.
        if not _SAYS.search(between) and not (is_chinese(before) and re.match(r"\s*[里中的]", between)):
            continue
        verdict = judge_quote(quote.words, facts, (), "", bool(_DENIED.search(between)))
        yield Reference("quote", max(start, quote.start - _REACH) + source.start(), quote.end, "the paper", *verdict)
