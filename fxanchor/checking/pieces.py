"""The pieces of code in a text: blocks, statements of flattened blocks, code spans, and expressions in its prose."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from fxanchor.checking.reading import PLAIN
from fxanchor.checking.reference import Region, Text
from fxanchor.checking.reflow import comment_start, is_flattened, statements
from fxanchor.concepts.listing import Listing, parse_listing

PYTHON = frozenset(
    {"", PLAIN, "python", "python3", "py", "py3", "pycon", "ipython", "ipython3", "{code-cell}", "python-repl"}
)
_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
# A name with at least an attribute, a call or an index behind it, all in ASCII: Chinese words may touch it.
_EXPRESSION = re.compile(
    rf"(?<![A-Za-z0-9_./@\\#$%-]){_NAME}(?:\.{_NAME}|\[[^\[\]\n]{{1,40}}\]|\((?:[^()\n]|\([^()\n]*\))*\))+"
)
# What looks like an attribute and is the ending of a file, a site or an abbreviation.
ENDINGS = re.compile(
    r"\.(?:pyi?|ipynb|md|rst|txt|json|toml|ya?ml|cfg|html?|pdf|png|jpe?g|svg|so|cpp|cc|cu|h|hpp|js|ts|css|sh|csv|zip|gz"
    r"|whl|pth?|onnx|com|org|io|net|dev|cn|ai|edu|gov)$",
    re.I,
)
_PATH = re.compile(r"[\w.-]*/[\w./-]+|\w+\.(?:pyi?|md|rst|txt|json|toml|ya?ml)(?:[:#]L?\d.*)?")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of code.

    Attributes:
        kind: Where it stands; `statement` is part of a block whose line breaks were lost.
        start: Index in the text of its first character.
        source: The code.
        listing: The same, parsed.
    """

    kind: Literal["block", "statement", "span", "prose"]
    start: int
    source: str
    listing: Listing


def pieces(text: Text) -> Iterator[Piece]:
    """Give all pieces: the blocks first, since they bind the names that the others use."""
    regions = [region for region in text.of_kind("block") if region.language in PYTHON]
    for region in regions:
        yield from _of_block(text, region)
    for region in text.of_kind("span"):
        yield from _of_span(text, region)
    for region in text.of_kind("prose"):
        yield from _of_prose(text, region)


def _of_block(text: Text, region: Region) -> Iterator[Piece]:
    source = text.plain[region.start : region.end]
    listing = parse_listing(source)
    if listing.is_python and len(listing.lines) - len(listing.dropped):
        yield Piece("block", region.start, source, listing)
    for number, line in enumerate(listing.lines):
        at = 0 if number in listing.dropped else comment_start(line)
        if at is not None and (number in listing.dropped or is_flattened(line[at:])):
            for one in statements(line[at:]):
                if one.parses:
                    start = region.start + listing.starts[number] + at + one.start
                    yield Piece("statement", start, one.source, parse_listing(one.source))


def _of_span(text: Text, region: Region) -> Iterator[Piece]:
    source = text.plain[region.start : region.end]
    lead = len(source) - len(source.lstrip(" ~!"))
    source = source[lead:].rstrip()
    if not source or "\n\n" in source or _PATH.fullmatch(source) or ENDINGS.search(source):
        return
    listing = parse_listing(source)
    if not listing.dropped and len(listing.lines) == 1:
        yield Piece("span", region.start + lead, source, listing)
    else:
        yield from _expressions(text, region.start + lead, region.end, "span")


def _of_prose(text: Text, region: Region) -> Iterator[Piece]:
    yield from _expressions(text, region.start, region.end, "prose")


def _expressions(text: Text, start: int, end: int, kind: Literal["span", "prose"]) -> Iterator[Piece]:
    for match in _EXPRESSION.finditer(text.plain, start, end):
        source = match.group()
        after = text.plain[match.end() : match.end() + 1]
        head = source.partition("(")[0]
        if ENDINGS.search(head) or after == "/":
            continue
        # `f(..., x=1)`: what is left out is no argument by position.
        cleaned = source.replace("…", "...")
        listing = parse_listing(cleaned)
        if not listing.dropped:
            yield Piece(kind, match.start(), cleaned, listing)
