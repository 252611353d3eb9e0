"""How often the paper uses a word, when a text compares two: `X出现频率低于Y`, "X appears less often than Y"."""

import re
from collections.abc import Iterator

from fxanchor.checking.paperfacts import PaperFacts
from fxanchor.checking.reference import Reference, Text

_NAME = r"(?<![A-Za-z0-9_.])[`'\"“”]{0,2}[A-Za-z_][A-Za-z0-9_.]{0,99}[`'\"“”]{0,2}"
_OTHERS = rf"(?P<others>{_NAME}(?:\s*(?:、|,|和|或|与|\bor\b|\band\b)\s*{_NAME})*)"
_COMPARED = (
    re.compile(
        rf"(?P<word>{_NAME})(?:这个词|一词)?(?:的)?(?:出现|使用)(?:的)?(?:频率|次数)?(?:远远?|明显|大大)?(?:要)?"
        rf"(?:比)?(?P<less>低于|少于)?(?P<more>高于|多于)?\s*{_OTHERS}"
    ),
    re.compile(
        rf"(?P<word>{_NAME})\s+(?:appears|occurs|is (?:used|mentioned))\s+(?:far |much )?"
        rf"(?:(?P<less>less)|(?P<more>more))\s+(?:often|frequently)?\s*than\s+{_OTHERS}"
    ),
)


def check_counts(text: Text, facts: PaperFacts) -> Iterator[Reference]:
    """Judge what a text says is more or less frequent in the paper.

    Args:
        text: The text.
        facts: The paper.
    """
    for pattern in _COMPARED:
        for match in pattern.finditer(text.plain):
            if not match["less"] and not match["more"]:
                continue
            word = match["word"].strip("`'\"“”")
            others = [
                other for other in re.findall(r"[A-Za-z_][A-Za-z0-9_.]*", match["others"]) if other not in ("or", "and")
            ]
            own = facts.count(word)
            counts = {other: facts.count(other) for other in others}
            if match["less"]:
                wrong = [other for other, count in counts.items() if own >= count]
            else:
                wrong = [other for other, count in counts.items() if own <= count]
            shown = ", ".join(f"{name} {count} times" for name, count in {word: own, **counts}.items())
            verdict = "wrong" if len(wrong) == len(others) else "cannot tell" if wrong else "right"
            yield Reference("quote", *match.span(), f"{word} in the paper", verdict, f"the paper has {shown}")  # type: ignore[arg-type]
