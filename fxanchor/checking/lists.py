"""Lists of what a class is said to have: `其核心只有两个方法：a和b`, "has two methods: `a` and `b`"."""

import re
from collections.abc import Iterator

from fxanchor.checking.missing import judge_attribute
from fxanchor.checking.reference import Reference
from fxanchor.checking.symbols import Knowledge
from fxanchor.checking.wording import sentence
from fxanchor.source.definition import Definition

_NAME = r"[`'\"*]*[A-Za-z_][A-Za-z0-9_]*(?:\(\))?[`'\"*]*"
_SEVERAL = rf"(?P<names>{_NAME}(?:\s*(?:、|,|，|和|与|以及|及|\band\b)+\s*{_NAME})+)"
_LISTED = (
    re.compile(
        rf"(?:[两二三四五六]|几|\d+)\s*个(?:核心|主要|关键|重要)?(?P<kind>方法|属性|函数)\s*(?:[：:]|，?(?:分别)?是)"
        rf"\s*{_SEVERAL}"
    ),
    re.compile(
        rf"\b(?:two|three|four|five|six|several|\d+)\s+(?:core |main |key |public )*"
        rf"(?P<kind>methods|attributes|functions)\s*(?::|,|-|—|are|namely)\s*{_SEVERAL}"
    ),
)
_CLASS = re.compile(r"(?<![A-Za-z0-9_])(?:[A-Za-z_][A-Za-z0-9_]*\.)*(?P<name>[A-Z][A-Za-z0-9]*)(?![A-Za-z0-9_])")


def check_lists(knowledge: Knowledge) -> Iterator[Reference]:
    """Judge each name of a list of methods or attributes that a class of the packages is said to have.

    Args:
        knowledge: The text and the packages.
    """
    if not knowledge.is_subject:
        return
    plain, names = knowledge.text.plain, knowledge.library.names
    for pattern in _LISTED:
        for match in pattern.finditer(plain):
            start, _ = sentence(plain, match.start())
            owner = _last_class(plain[start : match.start()], knowledge)
            if owner is None:
                continue
            method = match["kind"] in ("方法", "函数", "methods", "functions")
            for name in re.finditer(r"[A-Za-z_][A-Za-z0-9_]*", match["names"]):
                word = name.group()
                if word == "and":
                    continue
                at = match.start("names") + name.start()
                target = f"{names.public(owner)}.{word}"
                if (member := names.member(owner, word)) is not None:
                    evidence = f"{names.public(member)} is at {member.file}:{member.line}"
                    yield Reference("name", at, at + len(word), target, "right", evidence)
                    continue
                judged = judge_attribute(
                    owner, word, knowledge.library, knowledge.shapes, of_class=not method, called=method
                )
                if judged is not None:
                    yield Reference(
                        "name", at, at + len(word), target, judged.verdict, judged.evidence, judged.suggestion
                    )


def _last_class(words: str, knowledge: Knowledge) -> Definition | None:
    """Return the class of the packages that a stretch of text names last; None when it names one of its own last."""
    names = knowledge.library.names
    for match in reversed(list(_CLASS.finditer(words))):
        if match["name"] in knowledge.own:
            return None
        found = [one for one in names.best(match["name"]) if one.kind == "class"]
        public = [one for one in found if names.public(one) in names.public_names]
        if public:
            # A class that the text derives from it may add what the list names.
            derived = re.search(rf"class\s+\w+\([^)]*\b{match['name']}\b", knowledge.text.plain)
            return None if derived else public[0]
    return None
