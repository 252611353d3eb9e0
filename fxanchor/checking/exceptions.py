"""Exceptions that a text says the packages raise, and that they neither define nor mention."""

import builtins
import re
from collections.abc import Iterator

from fxanchor.checking.reference import Reference
from fxanchor.checking.symbols import Knowledge
from fxanchor.checking.wording import sentence

_EXCEPTION = re.compile(
    r"(?<![A-Za-z0-9_.])(?:[A-Za-z_][A-Za-z0-9_]*\.)*(?P<name>[A-Z][A-Za-z0-9]*(?:Error|Exception|Warning))(?![A-Za-z0-9_])"
)
_RAISED = re.compile(
    r"抛出|抛|报错?|卡在|遇到|触发|引发|提示"
    r"|\b(?:rais(?:e|es|ed|ing)|throw(?:s|n|ing)?|fail(?:s|ed|ing)?|hit(?:s|ting)?|got|gets?|crash(?:es|ed)?"
    r"|errors? out|see(?:s|ing)?|catch(?:es)?|stuck|end(?:s|ed)? (?:up )?(?:in|with))\b",
    re.I,
)
_CHAIN = re.compile(r"(?<![A-Za-z0-9_.])[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+")


def check_exceptions(knowledge: Knowledge) -> Iterator[Reference]:
    """Judge the exceptions that a sentence about something of the packages says are raised.

    Args:
        knowledge: The text and the packages.
    """
    library, plain = knowledge.library, knowledge.text.plain
    for match in _EXCEPTION.finditer(plain):
        name = match["name"]
        if hasattr(builtins, name) or name in knowledge.own:
            continue
        known = [found for found in library.names.definitions(name) if found.kind == "class"]
        start, end = sentence(plain, match.start())
        if known:
            public = library.names.public(known[0])
            evidence = f"{public} is at {known[0].file}:{known[0].line}"
            yield Reference("name", match.start("name"), match.end(), public, "right", evidence)
            continue
        if name in library.words or "." in match.group() or not _RAISED.search(plain, start, match.end()):
            continue
        if knowledge.is_subject and _speaks_of_packages(plain[start:end], knowledge):
            near = library.nearest(name)
            raised = (
                near if near and near.kind == "class" and near.simple_name.endswith(("Error", "Exception")) else None
            )
            evidence = f"nothing in {library.subject} is called {name}, and no line of it names it"
            suggestion = library.shown(raised) if raised else ""
            yield Reference("name", match.start(), match.end(), name, "wrong", evidence, suggestion)


def _speaks_of_packages(words: str, knowledge: Knowledge) -> bool:
    """Tell whether a sentence names something of the packages, and nothing dotted of another one before it."""
    names = knowledge.library.names
    chains = _CHAIN.findall(words)
    mine = [name for name in chains if names.covers(name) or names.dotted(name.split("."))]
    if mine:
        return len(mine) == len(chains)
    public = set(re.findall(r"[A-Za-z_][A-Za-z0-9_]{3,}", words)) & set(names.public_words)
    return not chains and any("_" in word or re.search(r"[a-z][A-Z]", word) for word in public)
