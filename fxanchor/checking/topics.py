"""What a text says a section or figure is about, against the words that really stand there."""

import re
from dataclasses import dataclass

from fxanchor.checking.paperfacts import PaperFacts
from fxanchor.checking.reference import Verdict
from fxanchor.checking.vocabulary import glossary
from fxanchor.checking.wording import content_words, is_chinese, stem, words

_FEWEST_CHINESE = 2
_FEWEST_ENGLISH = 3
_MOST = 40
# How a phrase that says what a place holds begins, right behind its mention.
_CHINESE = re.compile(
    r"^(?:的|中的?|里的?|里那个|中那个|所?描述的?|展示的?|提到的?|介绍的?|讨论的?|隐含的?|定义的?|讲的?|讲解的?|(?:只|仅)?画(?:了|出|的)?|关于)+"
    r"(?P<phrase>[^，。；！？、“”\"\n（(]{2,30}(?:[：:][^，。；！？“”\"\n（(]{2,30})?)"
)
_ENGLISH = re.compile(
    r"^(?:'s|’s|,? which)?\s*(?:\([^)]*\)\s*)?(?:shows?|illustrates?|depicts?|describes?|discusses|explains?|covers"
    r"|presents|introduces|is about|deals with|details|gives|plots|compares|defines)\s+"
    r"(?:how (?:to )?|that |the |a |an |what )*(?P<phrase>[^.;:,\n()“”\"]{4,120})"
)
# `关于Proxy对象的...`: a place about a class names it.
_ABOUT = re.compile(r"关于\s*(?P<name>[A-Z][A-Za-z]*[a-z][A-Za-z]*)\s*(?:对象|类|实例)")
_DENIED = re.compile(r"未|没有?|不|\b(?:not|never|no|without)\b")


@dataclass(frozen=True, slots=True)
class Topic:
    """What a place is said to be about, and is not.

    Attributes:
        end: Length of the words that say so, from the mention on.
        verdict: `moved` when another section is about it.
        evidence: In words.
        now: Where it is, or "".
    """

    end: int
    verdict: Verdict
    evidence: str
    now: str


def absent_topic(said: str, scope: str, facts: PaperFacts, section: str) -> Topic | None:
    """Return what a place is said to be about when none of its words is there; None when any is, or none is known.

    Args:
        said: What stands behind the mention.
        scope: All that stands at the place.
        facts: The paper.
        section: Number of the place when it is a section: the parts of it are no other place.
    """
    found = _CHINESE.match(said) or _ENGLISH.match(said)
    if not found or _DENIED.search(found.group()) or is_chinese(scope):
        return None
    phrase = found["phrase"]
    terms = _terms(phrase)
    about = _ABOUT.search(said[: found.end("phrase")])
    if about and not re.search(rf"(?<![A-Za-z]){about['name']}s?(?![A-Za-z])", scope, re.I):
        return _about_name(about["name"], found.end("phrase"), facts)
    there = {form for word in words(scope) for form in (word, stem(word), *word.split("_"))}
    if not terms or any(_is_there(forms, there) for forms in terms.values()):
        return None
    for other in facts.sections.values():
        inside = (
            other.number == section or other.number.startswith(f"{section}.") or section.startswith(f"{other.number}.")
        )
        title = set(words(other.title))
        hits = [term for term, forms in terms.items() if _is_there(forms, title)]
        if not inside and hits and len(hits) * 3 >= len(terms):
            shown = " and ".join(f"“{term}”" for term in hits)
            evidence = f"nothing there is about {shown}; section {other.number} is “{other.title}”"
            return Topic(found.end("phrase"), "moved", evidence, f"Section {other.number}")
    fewest = _FEWEST_CHINESE if is_chinese(phrase) else _FEWEST_ENGLISH
    if len(terms) < fewest:
        return None
    shown = " or ".join(f"“{term}”" for term in terms)
    return Topic(found.end("phrase"), "wrong", f"nothing there is about {shown}", "")


def _about_name(name: str, end: int, facts: PaperFacts) -> Topic:
    """Return that a place does not even name what it is said to be about."""
    places = facts.find(name)
    now = str(places[0]) if places else ""
    elsewhere = f"; the paper first names it in {now}" if now else "; nor is it anywhere else in the paper"
    return Topic(end, "moved" if now else "wrong", f"{name} is not named there{elsewhere}", now)


def _terms(phrase: str) -> dict[str, tuple[str, ...]]:
    """Return the terms of a phrase, each with the beginnings of the words that may stand for it."""
    terms: dict[str, tuple[str, ...]] = {}
    if is_chinese(phrase):
        at = 0
        known = glossary()
        while at < len(phrase):
            term = next((phrase[at : at + n] for n in range(5, 1, -1) if phrase[at : at + n] in known), "")
            if term:
                terms[term] = known[term]
            at += len(term) or 1
        for name in re.findall(r"[A-Za-z][A-Za-z_]{2,}", phrase):
            terms[name] = (name.casefold(),)
        return terms
    for word in content_words(phrase):
        terms[word] = (stem(word), word)
    return terms


def _is_there(forms: tuple[str, ...], there: set[str]) -> bool:
    return any(
        word == form or (len(form) >= 3 and word.startswith(form)) or (len(word) >= 4 and form.startswith(word))
        for form in forms
        for word in there
    )
