"""Code blocks of a text: whether they are Python at all, and, when asked, whether they run."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fxanchor.checking.pieces import PYTHON
from fxanchor.checking.reading import PLAIN
from fxanchor.checking.reference import Reference, Region, Text
from fxanchor.checking.reflow import hides_code, is_flattened
from fxanchor.concepts.listing import parse_listing
from fxanchor.model.syntax import parse_source

# What a writer puts for code that is left out, or for a value of the reader.
_LEFT_OUT = re.compile(r"…|<[a-zA-Z][\w -]*>|^\s*\.\.\.\s*$|\.\.\.[,)\s]*$|\[\.\.\.\]|\{\{", re.M)
_TAGGED = PYTHON - {"", PLAIN, "pycon", "python-repl"}
_PROMPT = re.compile(r"^\s*(?:>>>|\.\.\.)(?: |$)")
_MAGIC = re.compile(r"^\s*(?:[%!]|\$ )", re.M)
_DIFF = re.compile(r"^[-+](?:\s|[A-Za-z_@#])", re.M)


@dataclass(frozen=True, slots=True)
class Block:
    """A code block.

    Attributes:
        region: Where it stands.
        source: The code without prompts, magics and common indentation; "" when it is no Python.
        error: The syntax error in words, or "".
        certain: Whether it is certain that it was meant as Python.
    """

    region: Region
    source: str
    error: str
    certain: bool


def read_blocks(text: Text) -> list[Block]:
    """Return the blocks of a text that may be Python, in its order. In plain text each line is told by itself.

    Args:
        text: The text.
    """
    regions = [region for region in text.of_kind("block") if region.language in PYTHON]
    return [block for region in regions for block in _blocks(text, region)]


def check_syntax(blocks: list[Block]) -> Iterator[Reference]:
    """Tell the blocks that are no Python as they are printed.

    Args:
        blocks: The blocks.
    """
    for block in blocks:
        if block.error and block.certain:
            yield Reference("code", block.region.start, block.region.end, "code block", "wrong", block.error)


def _blocks(text: Text, region: Region) -> Iterator[Block]:
    source = text.plain[region.start : region.end]
    if not source.strip():
        return
    # Line breaks get lost in what was copied from a page; an untagged block of markdown may be no Python at all.
    flat = [line for line in source.splitlines(keepends=True) if region.language and _is_flat(line.strip())]
    at = region.start
    for line in source.splitlines(keepends=True):
        if line in flat:
            # Each is judged by itself: the lines around it may be whole.
            where = Region("block", at, at + len(line.rstrip()), region.language)
            error = _error(line.strip()) or "a comment swallows the statements behind it"
            yield Block(where, "", f"as printed this is no Python, its line breaks are lost: {error}", True)
        at += len(line)
    if flat:
        return
    start = region.start + len(source) - len(source.lstrip())
    where = Region("block", start, region.start + len(source.rstrip()), region.language)
    typed = _typed(source)
    error = _error(typed)
    left_out = bool(_LEFT_OUT.search(source) or _MAGIC.search(source) or _DIFF.search(source))
    said = f"as printed this is no Python: {error}" if error else ""
    yield Block(where, "" if error else typed, said, region.language in _TAGGED and not left_out)


def _is_flat(line: str) -> bool:
    """Tell whether a line holds several statements whose line breaks were lost."""
    if not line:
        return False
    error = _error(line)
    if not error:
        return hides_code(line) or (line.startswith("#") and is_flattened(line))
    return is_flattened(line) or "after line continuation" in error


def _typed(source: str) -> str:
    """Return the code of a block: what was typed at prompts when it is a session, else all but shell lines."""
    lines = list(parse_listing(source).lines) if any(map(_PROMPT.match, source.splitlines())) else source.splitlines()
    kept = ["" if _MAGIC.match(line) else line for line in lines]
    import textwrap

    return textwrap.dedent("\n".join(kept)) + "\n"


def _error(source: str) -> str:
    """Return the syntax error of some code in words, or ""."""
    try:
        parse_source(source)
    except SyntaxError as error:
        return f"{type(error).__name__}: {error.msg} (line {error.lineno} of it)"
    except (ValueError, RecursionError, MemoryError) as error:
        return type(error).__name__
    return ""
