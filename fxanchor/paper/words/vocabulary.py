"""The words a paper writes in one piece: the evidence for what a line end has broken."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from fxanchor.paper.page.lines import Line
from fxanchor.paper.pdf.spans import Span
from fxanchor.paper.words.repairs import HYPHENS, readable

_WORD = re.compile(rf"[^\W\d_]+(?:[{HYPHENS}][^\W\d_]+)*")
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
# Without one of these there is no name that is not a word.
_NO_WORD = re.compile(r"[A-Za-z_][\d_.]\w")
_ENDINGS = ("s", "es", "d", "ed", "ing", "ly", "al", "er")
_BREAK = re.compile(rf"([^\W\d_]+)[{HYPHENS}]$")
_REST = re.compile(r"[^\W\d_]+")
# A paper of so many lines, of which less than this share ends with a hyphen, breaks no words.
_ENOUGH_LINES = 40
_FEW_BREAKS = 0.02
_MOSTLY_CODE = 0.8
# A float can stand where a name is broken behind a dot, so that a name or two seem to end a sentence.
_OFTEN = 5


class Vocabulary:
    """How often a paper writes a word, a compound with a hyphen, or two parts of a dotted name.

    Attributes:
        hyphenated: Whether the paper breaks words at line ends; a browser does not.
        stops_in_code: Whether it sets the full stop behind a name in the code font.
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        self._counts: Counter[str] = Counter()
        breaks: list[tuple[str, str]] = []
        texts = 0
        tail = ""
        above: Line | None = None
        # How often the full stop behind a name in the code font is set in it, and how often not.
        stops = [0, 0]
        for line in lines:
            text = readable(line.text)
            ends_broken = text[-1:] in HYPHENS
            self._add(text, skip_first=bool(tail), skip_last=ends_broken)
            if tail and line.code < _MOSTLY_CODE:
                breaks.append((tail, text))
            tail = text if ends_broken else ""
            if line.code < _MOSTLY_CODE:
                texts += 1
                if line.code or (above is not None and above.code):
                    stops[0] += _stops_in_code(line, above)
                    stops[1] += _stops_in_text(line) if line.code else 0
            above = line
        self.stops_in_code = _OFTEN * stops[0] > stops[1]
        self.hyphenated = self._is_hyphenated(breaks, texts)

    def _is_hyphenated(self, breaks: Sequence[tuple[str, str]], lines: int) -> bool:
        """Tell whether some of the words that end and begin lines are written in one piece elsewhere."""
        if lines < _ENOUGH_LINES or len(breaks) > _FEW_BREAKS * lines:
            return True
        return any(
            (first := _BREAK.search(above)) and (second := _REST.match(line)) and self.count(first[1] + second[0])
            for above, line in breaks
        )

    def _add(self, text: str, *, skip_first: bool, skip_last: bool) -> None:
        words = _WORD.findall(text)
        words = words[int(skip_first) : len(words) - int(skip_last)]
        self._counts.update(words)
        self._counts.update(lower for word in words if (lower := word.lower()) != word)
        for word in words:
            if "-" in word:
                first, *_, last = parts = word.lower().split("-")
                self._counts.update((*parts, f"{first}-", f"-{last}"))
                if len(parts) > 2:
                    self._counts.update(f"{one}-{two}" for one, two in pairwise(parts))
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


def _stops_in_code(line: Line, above: Line | None) -> bool:
    """Tell whether a name in the code font ends a sentence, in a line or at the end of the one above, with its stop."""
    if above is not None and above.code < _MOSTLY_CODE and not line.spans[0].font.mono and _is_stop(above.spans[-1]):
        return True
    return line.code > 0 and any(gap and _is_stop(span) for span, gap in zip(line.spans, line.gaps, strict=False))


def _stops_in_text(line: Line) -> int:
    """Count the names in the code font whose full stop is set in the font of the text."""
    return sum(
        left.font.mono and not right.font.mono and not gap and right.text[0] == "."
        for left, right, gap in zip(line.spans, line.spans[1:], line.gaps, strict=False)
    )


def _is_stop(span: Span) -> bool:
    return span.font.mono and span.text[-1] == "." and span.text[-2:-1].isalnum()
