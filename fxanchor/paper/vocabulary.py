"""The words a paper writes in one piece: the evidence for what a line end has broken."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from fxanchor.paper.lines import Line
from fxanchor.paper.repairs import HYPHENS, readable

_WORD = re.compile(rf"[^\W\d_]+(?:[{HYPHENS}][^\W\d_]+)*")
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
# Without one of these there is no name that is not a word.
_NO_WORD = re.compile(r"[A-Za-z_][\d_.]\w")
_ENDINGS = ("s", "es", "d", "ed", "ing", "ly", "al", "er")


class Vocabulary:
    """How often a paper writes a word, a compound with a hyphen, or two parts of a dotted name."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._counts: Counter[str] = Counter()
        broken = False
        for line in lines:
            text = readable(line.text)
            ends_broken = text[-1:] in HYPHENS
            self._add(text, skip_first=broken, skip_last=ends_broken)
            broken = ends_broken

    def _add(self, text: str, *, skip_first: bool, skip_last: bool) -> None:
        words = _WORD.findall(text)
        words = words[int(skip_first) : len(words) - int(skip_last)]
        self._counts.update(words)
        self._counts.update(lower for word in words if (lower := word.lower()) != word)
        for word in words:
            if "-" in word:
                first, *_, last = parts = word.lower().split("-")
                self._counts.update((*parts, f"{first}-", f"-{last}"))
        if not _NO_WORD.search(text):
            return
        names = _NAME.findall(text)
        for name in names[int(skip_first) : len(names) - int(skip_last)]:
            if name.isalpha():
                continue
            parts = name.split(".")
            # Plain words are counted above.
            self._counts.update(part for part in parts if not part.isalpha())
            self._counts.update(f"{first}.{second}" for first, second in pairwise(parts))

    def count(self, word: str) -> int:
        """Return how often the paper writes a word, as it is, in lower case, or with a usual ending."""
        if found := self._counts[word]:
            return found
        lower = word.lower() if word[1:].islower() else word
        if found := self._counts[lower]:
            return found
        if "." in word or "_" in word or not lower.isalpha() or len(lower) < 5:
            return 0
        stems = [lower + ending for ending in _ENDINGS]
        stems += [lower.removesuffix(ending) for ending in _ENDINGS if len(lower) - len(ending) >= 4]
        return max(self._counts[stem] for stem in stems if stem != lower)
