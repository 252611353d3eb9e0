"""Words that a text attributes to the source: its comments, its docstrings, its messages."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from fxanchor.checking.library import Library
from fxanchor.checking.reference import Reference, Text
from fxanchor.checking.wording import is_chinese, quotations, sentence, stem, words

_REACH = 60
_WRITTEN = re.compile(
    r"源码注释|源码|源代码|代码注释|注释|文档字符串|(?<![A-Za-z])(?:docstrings?|(?:source|code)\s+comments?|comments?|source\s+code)(?![A-Za-z])",
    re.I,
)
_SAYS = re.compile(
    r"说|写|提到|描述|强调|称|[里中的]\s*$|[:：]\s*$"
    r"|\b(?:sa(?:y|id|ys)|stat(?:e|es|ed)|reads?|writes?|explains?|warns?|notes?|mentions?|tells?)\b",
    re.I,
)
_FOREIGN = re.compile(r"(?<![A-Za-z0-9_.])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+", re.ASCII)
_FEWEST_WORDS = 4
# The share of its words, in their order, that makes a quotation nearly one.
_NEARLY = 0.8


class SourceWords:
    """The words of all files of the packages, marks and line breaks left out, to look quotations up in.

    Args:
        library: The packages.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._files: dict[str, str] = {}

    def find(self, quoted: str) -> str:
        """Return the first file that has these words, and the line they begin on, as `file:line`; "" when none has."""
        asked = words(quoted)
        wanted = f" {' '.join(asked)} "
        for file in self._library.files:
            if file not in self._files:
                self._files[file] = f" {' '.join(words(''.join(self._library.lines(file))))} "
            if wanted in self._files[file]:
                return f"{file}:{self._line(file, asked)}"
        return ""

    def nearest(self, quoted: str) -> tuple[str, str, bool]:
        """Return the line of the source that shares most words with a quotation, its place, and whether it says so."""
        asked = {stem(word) for word in words(quoted) if len(word) > 3}
        best: tuple[int, str, int] = (0, "", 0)
        for file in self._library.files:
            for number, line in enumerate(self._library.lines(file), 1):
                if not any(word in line for word in asked):
                    continue
                shared = len(asked & {stem(word) for word in words(line)})
                if shared > best[0]:
                    best = (shared, file, number)
        shared, file, number = best
        if not shared or shared * 2 < len(asked):
            return "", "", False
        lines = self._library.lines(file)
        around = words("".join(lines[max(0, number - 3) : number + 3]))
        blocks = SequenceMatcher(None, words(quoted), around, autojunk=False).get_matching_blocks()
        nearly = sum(block.size for block in blocks) >= _NEARLY * len(words(quoted))
        return lines[number - 1].strip()[:160], f"{file}:{number}", nearly

    def _line(self, file: str, asked: Sequence[str]) -> int:
        lines = [words(line) for line in self._library.lines(file)]
        for number, line in enumerate(lines, 1):
            if asked[0] in line:
                flat = [word for later in lines[number - 1 : number + 12] for word in later]
                if any(flat[at : at + len(asked)] == list(asked) for at in range(len(line))):
                    return number
        return 1


def check_source_quotes(text: Text, library: Library, taken: Sequence[Reference]) -> Iterator[Reference]:
    """Judge the quotations that a text attributes to comments and docstrings of the packages.

    Args:
        text: The text.
        library: The packages.
        taken: References found already; a quotation in one of them has been judged.
    """
    source = SourceWords(library)
    for quote in quotations(text.plain):
        if len(words(quote.words)) < _FEWEST_WORDS or is_chinese(quote.words):
            continue
        if any(one.kind == "quote" and one.start < quote.end and quote.start < one.end for one in taken):
            continue
        start, _ = sentence(text.plain, quote.start)
        before = text.plain[max(start, quote.start - _REACH) : quote.start]
        written = next(reversed(list(_WRITTEN.finditer(before))), None)
        if written is None or not _SAYS.search(before[written.end() :]):
            continue
        if re.search(r"论文|\bpaper\b", before[written.end() :]):
            continue
        place = source.find(quote.words)
        at = max(start, quote.start - _REACH) + written.start()
        if place:
            yield Reference("quote", at, quote.end, place, "right", f"it stands at {place}")
        elif not _is_foreign(text.plain[start : quote.start], library):
            line, where, nearly = source.nearest(quote.words)
            if nearly:
                evidence = f"{where} nearly says so: {line}"
                yield Reference("quote", at, quote.end, where, "cannot tell", evidence, line)
                continue
            evidence = f"no file of {library.subject} has “{quote.words}”"
            suggestion = f"nearest, at {where}: {line}" if line else ""
            yield Reference("quote", at, quote.end, library.subject, "wrong", evidence, suggestion)


def _is_foreign(before: str, library: Library) -> bool:
    """Tell whether a name of another package is what the sentence speaks of."""
    dotted = _FOREIGN.findall(before)
    return any(not library.names.covers(name) and library.names.dotted(name.split(".")) is None for name in dotted)
