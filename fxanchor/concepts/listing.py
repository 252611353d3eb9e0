"""A listing as Python's parser takes it: prompts, line numbers and lines that are no Python are put aside."""

import ast
import re
import textwrap
import warnings
from dataclasses import dataclass

_PROMPT = re.compile(r"\s*(?:>>>|\.\.\.|In ?\[\d+\]:|\$)(?: |$)")
_SESSION = re.compile(r"\s*(?:>>>|In ?\[\d+\]:|\$ )")
_NUMBER = re.compile(r"\s*\d{1,3}(?: +|$)")
_MAX_LINES = 400
_MAX_REPAIRS = 80


@dataclass(frozen=True, slots=True)
class Listing:
    """What could be parsed of a listing.

    Attributes:
        tree: The syntax tree; lines that are no Python are `pass` in it.
        starts: For every line of the tree, the index in the passage's text of its first column.
        lines: The lines without prompts, numbers and common indentation.
        dropped: 0-based numbers of the lines that are no Python.
    """

    tree: ast.Module
    starts: tuple[int, ...]
    lines: tuple[str, ...]
    dropped: frozenset[int]

    @property
    def is_python(self) -> bool:
        """Whether at least half of the lines that say anything could be parsed."""
        filled = sum(bool(line.strip()) for line in self.lines)
        return filled > 0 and len(self.dropped) * 2 <= filled

    def index(self, line: int, column: int) -> int:
        """Return the index in the passage's text of a place in the tree.

        Args:
            line: 1-based line, as `ast` counts.
            column: 0-based offset in UTF-8 bytes, as `ast` counts.
        """
        text = self.lines[line - 1]
        return self.starts[line - 1] + len(text.encode()[:column].decode(errors="ignore"))

    def comments(self) -> list[tuple[int, int]]:
        """Return where comments stand, as start and end in the passage's text."""
        found = []
        for start, line in zip(self.starts, self.lines, strict=True):
            mark = _comment(line)
            if mark is not None:
                found.append((start + mark, start + len(line)))
        return found


def parse_listing(text: str) -> Listing:
    """Parse the text of a listing as far as it is Python.

    Args:
        text: The listing, lines as they stand in the paper.

    Returns:
        The tree and how it maps to the text. A listing in another language has all its lines in `dropped`.
    """
    lines, starts = _lines(text)
    if len(lines) > _MAX_LINES or not lines:
        return Listing(ast.Module([], []), tuple(starts), tuple(lines), frozenset(range(len(lines))))
    dropped: set[int] = set()
    work = list(lines)
    for _ in range(_MAX_REPAIRS):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse("\n".join(work))
            return Listing(tree, tuple(starts), tuple(lines), frozenset(dropped))
        except SyntaxError as error:
            if not _repair(work, error, dropped):
                break
        except (ValueError, RecursionError, MemoryError):
            break
    return Listing(ast.Module([], []), tuple(starts), tuple(lines), frozenset(range(len(lines))))


def _lines(text: str) -> tuple[list[str], list[int]]:
    """Split into lines without prompts, line numbers and common indentation, with where each begins in `text`."""
    raw = text.split("\n")
    offsets = [0]
    for line in raw[:-1]:
        offsets.append(offsets[-1] + len(line) + 1)
    filled = [line for line in raw if line.strip()]
    cut = [0] * len(raw)
    # Dots alone are Python's own ellipsis.
    if any(map(_SESSION.match, filled)) and sum(bool(_PROMPT.match(line)) for line in filled) * 3 >= len(filled):
        raw, cut = _strip(raw, _PROMPT)
    elif len(filled) > 1 and all(_NUMBER.match(line) for line in filled):
        raw, cut = _strip(raw, _NUMBER)
    dedented = textwrap.dedent("\n".join(raw)).split("\n")
    margin = next((len(old) - len(new) for old, new in zip(raw, dedented, strict=True) if new.strip(" \t")), 0)
    ends = [*(offset - 1 for offset in offsets[1:]), len(text)]
    starts = [min(offset + gone + margin, end) for offset, gone, end in zip(offsets, cut, ends, strict=True)]
    return dedented, starts


def _strip(lines: list[str], mark: re.Pattern[str]) -> tuple[list[str], list[int]]:
    """Take what `mark` matches off the head of the lines, with how many characters went; blank the unmarked ones."""
    kept = []
    cut = []
    for line in lines:
        match = mark.match(line)
        gone = match.end() if match else 0
        # Of a session only what was typed is Python: a line without a prompt is output.
        kept.append(line[gone:] if match else ("" if mark is _PROMPT else line))
        cut.append(gone)
    return kept, cut


def _repair(lines: list[str], error: SyntaxError, dropped: set[int]) -> bool:
    """Change the one line that the parser blames, keeping all columns of the others; False when nothing is left."""
    at = min(max((error.lineno or 1) - 1, 0), len(lines) - 1)
    message = error.msg or ""
    head = _filled_before(lines, at)
    if isinstance(error, IndentationError) and head is not None:
        if message.startswith("expected an indented block") and _close(lines, head):
            return True
        return _indent_like(lines, at, head, dropped)
    if at in dropped:
        later = [n for n in range(len(lines)) if n not in dropped and lines[n].strip()]
        if not later:
            return False
        at = min(later, key=lambda n: abs(n - at))
    indent = len(lines[at]) - len(lines[at].lstrip())
    lines[at] = lines[at][:indent] + "pass"
    dropped.add(at)
    return True


def _close(lines: list[str], head: int) -> bool:
    """Give the statement that `head` opens an empty body, when it opens one."""
    mark = _comment(lines[head])
    code = (lines[head] if mark is None else lines[head][:mark]).rstrip()
    if code.endswith(":"):
        lines[head] = code + " pass"
    return code.endswith(":")


def _indent_like(lines: list[str], at: int, head: int, dropped: set[int]) -> bool:
    """Drop a line whose indentation fits no block."""
    if at in dropped:
        at = head if head not in dropped else at
    indent = len(lines[head]) - len(lines[head].lstrip())
    lines[at] = " " * indent + "pass"
    dropped.add(at)
    return True


def _filled_before(lines: list[str], at: int) -> int | None:
    """Return the last line before `at` that is neither blank nor a comment."""
    for number in range(at - 1, -1, -1):
        if lines[number].strip() and not lines[number].lstrip().startswith("#"):
            return number
    return None


def _comment(line: str) -> int | None:
    """Return the column of the `#` that begins a comment, or None."""
    quote = ""
    for column, letter in enumerate(line):
        if quote:
            if letter == quote:
                quote = ""
        elif letter in "'\"":
            quote = letter
        elif letter == "#":
            return column
    return None
