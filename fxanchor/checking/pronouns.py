"""Whether `It` at the head of a sentence is the paper, which the sentence before was about."""

import re

from fxanchor.checking.wording import sentence

_MOST_SENTENCES = 6
_PAPER = re.compile(r"\s*(?:[-*>]\s+)?(?:The|This)\s+(?:\w+\s+)?paper[\s,]")
_IT = re.compile(r"\s*It\s")
# Another thing that could say or have something.
_OTHER = re.compile(r"\b(?:docs?|documentation|source|code|comment|docstring|README|blog|manual|website|talk|book)\b")


def is_paper(plain: str, at: int) -> bool:
    """Tell whether a sentence has the paper as its subject: by name, or by `It` behind a sentence that has.

    Args:
        plain: The text.
        at: Index in the sentence.
    """
    for _ in range(_MOST_SENTENCES):
        start, end = sentence(plain, at)
        said = plain[start:end]
        if _PAPER.match(said):
            return not _OTHER.search(said)
        # A blank line begins something new.
        if not _IT.match(said) or start < 2 or plain[start - 1] == "\n":
            return False
        at = start - 1 if plain[start - 1] not in ".!?" else start - 2
    return False
