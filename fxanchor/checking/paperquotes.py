"""Words that a text attributes to the paper as a whole, and the venue and year that it gives the paper."""

import re
from collections.abc import Iterator, Sequence

from fxanchor.checking.paperclaims import judge_quote, quotable
from fxanchor.checking.paperfacts import PaperFacts
from fxanchor.checking.reference import Reference, Text, Verdict
from fxanchor.checking.wording import is_chinese, quotations, sentence

_REACH = 48
_SOURCE = re.compile(
    r"(?P<paper>论文|原文|摘要|作者|(?<![A-Za-z])(?:the|this|their|original)\s+(?:\w+\s+)?(?:paper|authors|abstract)(?![A-Za-z])"
    r"|(?<![A-Za-z])[Aa]uthors?(?![A-Za-z]))"
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
    r"没有?(?:说|提|写|出现|强调|用过?)|从未|并未|未(?:提|说|曾)|\b(?:never|does not|doesn't|did not|nowhere|not once)\b", re.I
)
_VENUES = (
    "NeurIPS NIPS ICML ICLR MLSys SysML CVPR ICCV ECCV ACL EMNLP NAACL COLING AAAI IJCAI KDD WWW OSDI SOSP NSDI ATC"
    " ASPLOS ISCA MICRO HPCA PLDI POPL OOPSLA CGO PPoPP EuroSys VLDB SIGMOD SIGCOMM SIGGRAPH INTERSPEECH ICASSP AISTATS"
    " COLT UAI CoRL ICRA IROS RSS JMLR TMLR TPAMI TPDS JOSS"
).split()
_VENUE = "|".join(sorted(_VENUES, key=len, reverse=True))
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
    about = re.compile("|".join(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])" for name in names if len(name) > 1), re.I)
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


def stated_venue(facts: PaperFacts, metadata: str) -> str:
    """Return what a PDF says of where it appeared.

    Args:
        facts: The paper.
        metadata: The fields of its document information.
    """
    return "\n".join([metadata, *facts.opening()])

