"""What a text says about a section or figure of the paper: that it exists, what it says, shows, and is about."""

import re
from collections.abc import Iterator, Sequence

from fxanchor.checking.mentions import Mention, find_mentions
from fxanchor.checking.paperfacts import Figure, PaperFacts
from fxanchor.checking.reference import Reference, ReferenceKind, Text, Verdict
from fxanchor.checking.topics import absent_topic
from fxanchor.checking.wording import Quotation, is_chinese, quotations, sentence, words

# How far behind a mention the words that it is said to hold may begin.
_REACH = 60
_TITLED = re.compile(r"标题|题为|名为|叫做?|\b(?:titled?|entitled|called|named|headed|heading)\b", re.I)
_DENIED = re.compile(
    r"没有?(?:说|提|写|出现|强调|给)|从未|并未|未(?:提|说|曾)|\b(?:never|not|n't|nowhere|without|no)\b", re.I
)
# Features that only a drawing has.
DRAWN = re.compile(
    r"箭头|菱形|方框|圆圈|虚线|实线|连线|曲线|柱状|折线|坐标轴|流程图|架构图|示意图|散点"
    r"|\b(?:arrows?|diamonds?|boxes|circles?|ellips[ei]s?|dashed|dotted|flow ?charts?|bar charts?|histograms?|curves?"
    r"|scatter|axes|[xy]-axis|photographs?)\b",
    re.I,
)
# What stands behind these has another subject, or another source.
_NEW_CLAUSE = re.compile(
    r"[，,；;]\s*(?:但|而|却|but\b|while\b|whereas\b)|[，,].*(?:论文|源码|注释|\bpaper\b|\bdocs\b)"
)
_PLOTTED = re.compile(
    r"曲线|柱状|折线|坐标轴|散点|\b(?:bar charts?|histograms?|curves?|scatter|axes|[xy]-axis)\b", re.I
)
_CODE = re.compile(r"\b(?:code )?(?:listing|snippet|source code)\b|代码清单|代码片段|源代码", re.I)
# `Section 3的Graph Construction流程`: words of the paper's language, put into a Chinese sentence without marks.
_EMBEDDED = re.compile(r"^(?:的|中的?|里的?)\s*(?P<words>[A-Z][A-Za-z-]+(?:\s+[A-Z][A-Za-z-]+)+)(?=\s*[一-鿿，。；])")
_TITLE_BEHIND = re.compile(r"^\s*[(（,，:：—-]\s*[\"“]?(?P<words>[A-Z][^()（）\"”\n。;]{3,80}?)[\"”]?\s*[)）]")
_LITERALS = re.compile(r"[(（]\s*((?:[%$@][\w.]+\s*[,，、]?\s*)+)[)）]")


def check_paper_places(text: Text, facts: PaperFacts) -> Iterator[Reference]:
    """Judge every section, figure and table of the paper that a text names, with what it says of it.

    Args:
        text: The text.
        facts: The paper.
    """
    mentions = find_mentions(text, facts)
    for number, mention in enumerate(mentions):
        _, stop = sentence(text.plain, mention.start)
        if number + 1 < len(mentions):
            stop = min(stop, mentions[number + 1].start)
        yield from _Claims(text, facts, mention, stop).judge()


class _Claims:
    """The statements about one mention, up to the next one or to the end of the sentence."""

    def __init__(self, text: Text, facts: PaperFacts, mention: Mention, stop: int) -> None:
        self._text = text
        self._facts = facts
        self._mention = mention
        self._rest = text.plain[mention.end : stop]
        self._quotes = self._quoted(stop)

    def judge(self) -> Iterator[Reference]:
        mention, facts = self._mention, self._facts
        missing = _missing(mention, facts)
        if missing:
            end = self._quotes[-1].end if self._quotes else mention.end
            yield self._reference(mention.kind, mention.start, end, *missing)
            return
        if mention.kind == "section":
            yield from self._section()
        else:
            yield from self._figure(facts.figures[mention.name])

    def _section(self) -> Iterator[Reference]:
        mention, facts = self._mention, self._facts
        title = facts.sections[mention.name].title
        where = f"section {mention.name} is “{title}”, page {facts.sections[mention.name].page}"
        said = bool(self._quotes)
        for quote in self._quotes:
            between = self._text.plain[mention.end : quote.start]
            if _TITLED.search(between) and not _DENIED.search(between):
                yield self._title(quote.words, quote.end)
            else:
                yield self._quote(quote, between, where)
        if named := self._named_title():
            said = True
            yield named
        if embedded := _EMBEDDED.match(self._rest):
            said = True
            end = mention.end + embedded.end("words")
            quote = Quotation(mention.end + embedded.start("words"), end, embedded["words"])
            yield self._quote(quote, "", where)
        if not said:
            topic = absent_topic(self._rest, facts.section_text(mention.name), facts, mention.name)
            if topic:
                end = mention.end + topic.end
                yield self._reference(
                    "section", mention.start, end, topic.verdict, f"{where}; {topic.evidence}", topic.now
                )
                return
            yield self._reference("section", mention.start, mention.end, "right", where)

    def _named_title(self) -> Reference | None:
        """Judge `Section 4.2 (Intermediate Representation)` when what stands there is the title of some section."""
        behind = _TITLE_BEHIND.match(self._rest)
        if not behind:
            return None
        said = words(behind["words"])
        for section in self._facts.sections.values():
            if words(section.title) == said:
                return self._title(behind["words"], self._mention.end + behind.end("words"))
        return None

    def _title(self, said: str, end: int) -> Reference:
        mention, sections = self._mention, self._facts.sections
        title = sections[mention.name].title
        if words(title) == words(said):
            return self._reference("section", mention.start, end, "right", f"section {mention.name} is “{title}”")
        for section in sections.values():
            if words(section.title) == words(said):
                evidence = f"“{section.title}” is section {section.number}; section {mention.name} is “{title}”"
                return self._reference("section", mention.start, end, "moved", evidence, f"Section {section.number}")
        evidence = f"section {mention.name} is “{title}”; no section is “{said}”"
        return self._reference("section", mention.start, end, "wrong", evidence, f"“{title}”")

    def _quote(self, quote: Quotation, between: str, where: str) -> Reference:
        mention, facts = self._mention, self._facts
        inside = [
            place
            for place in facts.find(quote.words)
            if place.section == mention.name or place.section.startswith(f"{mention.name}.")
        ]
        denied = bool(_DENIED.search(between))
        return self._reference(
            "quote", mention.start, quote.end, *judge_quote(quote.words, facts, inside, where, denied)
        )

    def _figure(self, figure: Figure) -> Iterator[Reference]:
        mention = self._mention
        what = _what(figure)
        said = bool(self._quotes)
        for quote in self._quotes:
            between = self._text.plain[mention.end : quote.start]
            if _DENIED.search(between):
                continue
            yield self._shown(quote, figure, what)
        if literals := _LITERALS.search(self._rest):
            said = True
            yield self._literals(literals, figure, what)
        drawn = DRAWN.search(self._rest)
        if drawn and (figure.form == "listing" or (figure.form == "chart" and not _PLOTTED.search(drawn.group()))):
            said = True
            end = mention.end + drawn.end()
            yield self._reference("figure", mention.start, end, "wrong", f"{what}; it has no {drawn.group()}")
        code = _CODE.search(self._rest)
        if code and figure.form == "chart":
            said = True
            yield self._reference("figure", mention.start, mention.end + code.end(), "wrong", f"{what}; it is no code")
        if not said:
            scope = f"{figure.caption}\n{figure.body}\n{figure.cited}"
            if topic := absent_topic(self._rest, scope, self._facts, ""):
                end = mention.end + topic.end
                yield self._reference(
                    "figure", mention.start, end, topic.verdict, f"{what}; {topic.evidence}", topic.now
                )
                return
            yield self._reference("figure", mention.start, mention.end, "right", what)

    def _shown(self, quote: Quotation, figure: Figure, what: str) -> Reference:
        """Judge words that a figure is said to be called, or to have in it."""
        mention = self._mention
        said = " ".join(words(quote.words))
        for part in (figure.caption, figure.body, figure.cited):
            if f" {said} " in f" {' '.join(words(part))} ":
                return self._reference("figure", mention.start, quote.end, "right", what)
        others = [
            other.label
            for other in self._facts.figures.values()
            if f" {said} " in f" {' '.join(words(other.caption))} {' '.join(words(other.body))} "
        ]
        if others:
            evidence = f"“{quote.words}” is in {others[0]}; {what}"
            return self._reference("figure", mention.start, quote.end, "moved", evidence, others[0])
        if not figure.caption and not figure.body:
            return self._reference(
                "figure", mention.start, quote.end, "cannot tell", f"nothing in {figure.label} could be read"
            )
        if figure.form in ("drawing", "") and self._facts.find(quote.words):
            return self._reference("figure", mention.start, quote.end, "cannot tell", what)
        evidence = f"{what}; “{quote.words}” is not in it"
        if places := self._facts.find(quote.words):
            return self._reference(
                "figure", mention.start, quote.end, "moved", f"{evidence}, but in {places[0]}", str(places[0])
            )
        return self._reference("figure", mention.start, quote.end, "wrong", f"{evidence}, nor anywhere in the paper")

    def _literals(self, found: "re.Match[str]", figure: Figure, what: str) -> Reference:
        mention = self._mention
        wanted = re.findall(r"[%$@][\w.]+", found.group(1))
        end = mention.end + found.end()
        if all(re.search(rf"{re.escape(one)}(?!\w)", figure.body) for one in wanted):
            return self._reference("figure", mention.start, end, "right", what)
        if not figure.body:
            return self._reference("figure", mention.start, end, "cannot tell", what)
        shown = " and ".join(wanted)
        others = [
            other.label for other in self._facts.figures.values() if all(one in other.body.split() for one in wanted)
        ]
        verdict: Verdict = "moved" if others else "wrong"
        evidence = f"{what}; {shown} {'is' if len(wanted) == 1 else 'are'} not in it"
        return self._reference("figure", mention.start, end, verdict, evidence, others[0] if others else "")

    def _quoted(self, stop: int) -> Sequence[Quotation]:
        """Return the quotations that the mention is the source of."""
        found: list[Quotation] = []
        at = self._mention.end
        for quote in quotations(self._text.plain):
            if quote.start < at:
                continue
            if quote.start >= stop or quote.start - at > _REACH:
                break
            between = self._text.plain[at : quote.start]
            # A further quotation of the same source follows at once; a new clause has another subject.
            if found and not re.fullmatch(r"\s*(?:[,，、和与及到至]|and|or|to)?\s*", between):
                break
            if _NEW_CLAUSE.search(between):
                break
            found.append(quote)
            at = quote.end
        titled = bool(_TITLED.search(self._rest[:_REACH]))
        return [quote for quote in found if titled or quotable(quote.words, self._facts)]

    def _reference(
        self, kind: ReferenceKind, start: int, end: int, verdict: Verdict, evidence: str, suggestion: str = ""
    ) -> Reference:
        name = self._mention.name if self._mention.kind == "figure" else f"Section {self._mention.name}"
        return Reference(kind, start, end, name, verdict, evidence, suggestion)


def judge_quote(
    quoted: str, facts: PaperFacts, inside: Sequence[object], where: str, denied: bool
) -> tuple[Verdict, str, str]:
    """Return the verdict on words attributed to the paper.

    Args:
        quoted: The words.
        facts: The paper.
        inside: The places that the text says they stand at, where they do.
        where: What is at the place that the text names, in words; "" when it names none.
        denied: Whether the text says that they do not stand there.
    """
    places = facts.find(quoted)
    if denied:
        there = inside if where else places
        if there:
            return "wrong", f"“{quoted}” does stand there: {there[0]}", str(there[0])
        return "right", "the paper does not say so" + (f" there; {where}" if where else ""), ""
    if inside or (places and not where):
        return "right", f"{(inside or places)[0]}", ""
    prefix = f"{where}; " if where else ""
    if places:
        return "moved", f"{prefix}“{quoted}” stands in {places[0]}", str(places[0])
    near, place, nearly = facts.nearest(quoted)
    if nearly and place is not None:
        return "cannot tell", f"{prefix}the paper nearly says so, in {place}: “{near}”", f"“{near}”"
    evidence = f"{prefix}“{quoted}” stands nowhere in the paper"
    return "wrong", evidence, f"nearest, in {place}: “{near}”" if near else ""


def quotable(quoted: str, facts: PaperFacts) -> bool:
    """Tell whether quoted words can be looked up in the paper: they are in its language, and more than one word.

    Args:
        quoted: The words.
        facts: The paper.
    """
    if is_chinese(quoted) != facts.is_chinese:
        return False
    return len(words(quoted)) >= (4 if facts.is_chinese else 2)


def _what(figure: Figure) -> str:
    form = {"listing": "a listing", "chart": "a chart", "table": "a table"}.get(figure.form, "")
    own = figure.caption[max(0, figure.caption.find(figure.label)) :]
    caption = re.sub(rf"^{re.escape(figure.label)}\s*[.:]\s*", "", own).strip()[:160]
    return f"{figure.label} is {form + ': ' if form else ''}“{caption}”"


def _missing(mention: Mention, facts: PaperFacts) -> tuple[Verdict, str, str] | None:
    """Return the verdict on a mention whose section or figure the paper does not have; None when it has it."""
    if mention.kind == "figure":
        if mention.name in facts.figures:
            return None
        kind, _, number = mention.name.partition(" ")
        same = sorted(int(label.partition(" ")[2]) for label in facts.figures if label.startswith(kind + " "))
        pattern = re.compile(rf"\b{kind[:3]}[a-z]*\.?\s*{number}(?!\d)", re.I)
        if any(pattern.search(passage.text) for passage in facts.paper.passages):
            return "cannot tell", f"{mention.name} of the paper could not be read", ""
        if not same:
            return "wrong", f"the paper has no {kind.lower()}s", ""
        return "wrong", f"the paper has no {mention.name}; its last one is {kind} {same[-1]}", ""
    if mention.name in facts.sections:
        return None
    if len(facts.sections) < 3 or _has_gap(mention.name, facts):
        return "cannot tell", f"no heading of section {mention.name} could be read", ""
    parent = mention.name.rpartition(".")[0]
    inner = [number for number in facts.sections if parent and re.fullmatch(rf"{re.escape(parent)}\.\d+", number)]
    if parent in facts.sections:
        title = facts.sections[parent].title
        has = f"has {inner[0]} to {inner[-1]}" if inner else "has no parts"
        return "wrong", f"the paper has no section {mention.name}; section {parent} “{title}” {has}", ""
    return "wrong", f"the paper has no section {mention.name}", ""


def _has_gap(number: str, facts: PaperFacts) -> bool:
    """Tell whether a heading may have been overlooked: a later one of its level is there, or a line begins like it."""
    parent, _, last = number.rpartition(".")
    if last.isdigit():
        later = [f"{parent}.{n}" if parent else str(n) for n in range(int(last) + 1, int(last) + 4)]
        if any(each in facts.sections for each in later):
            return True
    head = re.compile(rf"^{re.escape(number)}\.?\s+[A-Z]")
    return any(head.match(passage.text) for passage in facts.paper.passages if passage.role != "reference")
