"""Code whose line breaks were lost when it was copied: split it into statements again, each where it stands."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from fxanchor.model.syntax import parse_source

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_CHAIN = rf"{_NAME}(?:\.{_NAME})*"
# How a statement begins, where a blank stands in place of a line break.
_BEGINS = re.compile(
    rf"(?:^|(?<=\s))(?:import\s+{_CHAIN}|from\s+[\w.]+\s+import\s|class\s+{_NAME}\s*[(:]|(?:async\s+)?def\s+{_NAME}\s*\("
    rf"|for\s+{_NAME}(?:\s*,\s*{_NAME})*\s+in\s|while\s+\S|if\s+\S|elif\s+\S|else\s*:|try\s*:|except\b|finally\s*:"
    rf"|with\s+\S|return\b|raise\b|assert\b|break\b|continue\b|pass\b|print\("
    rf"|{_CHAIN}(?:\[[^\[\]]*\])?\s*[-+*/|&]?=\s*[^=\s]|{_CHAIN}\([^#]|@{_NAME})",
    re.ASCII,
)
_COMPOUND = re.compile(r"(?:async\s+)?(?:class|def|for|while|if|elif|else|try|except|finally|with)\b")
# A blank behind one of these does not end a statement: the expression goes on.
_GOES_ON = re.compile(
    r"(?:[-+*/%|&^=<>,.(\[{:@~\\]|\b(?:in|is|not|and|or|if|else|for|with|return|import|from|as|lambda|del|raise"
    r"|assert|await|yield|while|elif|class|def|except))$"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of flattened code.

    Attributes:
        start: Index in the text of its first character.
        source: The statement; the head of a compound one has `pass` for a body.
        parses: Whether it is Python.
    """

    start: int
    source: str
    parses: bool


def statements(source: str) -> list[Statement]:
    """Split code without line breaks into its statements.

    Args:
        source: One line.
    """
    cuts = [*_cuts(source), len(source)]
    found = []
    for start, end in pairwise(cuts):
        piece = source[start:end].rstrip()
        if piece and not piece.lstrip().startswith("#"):
            found.append(_statement(start, piece))
    return found


def is_flattened(source: str) -> bool:
    """Tell whether one line is certainly several statements whose line breaks were lost.

    Args:
        source: One line that is no Python as it stands, or whose comment hides code.
    """
    found = statements(source)
    good = [one for one in found if one.parses and len(one.source) > 4]
    covered = sum(len(one.source) for one in good)
    total = sum(len(one.source) for one in found)
    # `loss = 0.5 acc = 0.9` is a record, not code.
    strong = [one for one in good if _COMPOUND.match(one.source) or re.search(r"\w\(|^(?:import|from)\s", one.source)]
    return len(good) >= 2 and bool(strong) and covered >= 0.6 * total


def hides_code(source: str) -> bool:
    """Tell whether a comment in a line holds whole statements that were lines of their own.

    Args:
        source: One line that is Python as it stands.
    """
    mark = comment_start(source)
    if mark is None or not source[:mark].strip():
        return False
    inside = [one for one in statements(source[mark + 1 :]) if one.parses]
    heads = [one for one in inside if _COMPOUND.match(one.source) and ":" in one.source]
    return bool(heads) and len(inside) >= 2


def comment_start(line: str) -> int | None:
    """Return where the comment of a line begins, or None."""
    quote = ""
    for column, letter in enumerate(line):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == "#":
            return column
    return None


def _cuts(source: str) -> Iterator[int]:
    """Give where statements begin: outside brackets and strings, and behind something that is complete."""
    free = list(_outside(source))
    last = 0
    yield 0
    for match in _BEGINS.finditer(source):
        at = match.start()
        before = source[last:at].rstrip()
        # Behind the head of a compound statement a simple one may stand on the same line, another head may not.
        opened = before.endswith(":") and _COMPOUND.match(source, at)
        if at and free[at] and (opened or not _GOES_ON.search(before[-12:])):
            yield at
            last = at


def _outside(source: str) -> Iterator[bool]:
    """Tell for each character whether it stands outside brackets and strings; a comment counts as outside."""
    depth = 0
    quote = ""
    comment = False
    for letter in source:
        if comment:
            # Where a flattened comment ends cannot be seen; brackets and quotes in its words mean nothing.
            comment = letter not in "=("
        elif quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == "#":
            comment = True
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth = max(0, depth - 1)
        yield depth == 0 and not quote


def _statement(start: int, piece: str) -> Statement:
    lead = len(piece) - len(piece.lstrip())
    piece = piece.lstrip()
    mark = comment_start(piece)
    code = (piece if mark is None else piece[:mark]).rstrip()
    for source in (code, code + " pass" if _COMPOUND.match(code) and code.endswith(":") else ""):
        # An `elif` or `except` needs what it belongs to; its expression is looked at by itself.
        bare = re.sub(r"^elif\b", "if  ", source)
        if bare and _parses(bare):
            return Statement(start + lead, bare, True)
    return Statement(start + lead, code, False)


def _parses(source: str) -> bool:
    try:
        parse_source(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
