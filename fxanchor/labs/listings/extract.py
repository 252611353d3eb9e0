"""Take the listings out of a paper and part each into code and what the paper says it prints."""

import ast
import doctest
import re
import textwrap
from collections import Counter
from collections.abc import Iterator

from fxanchor.labs.listings.listing import Listing, Step
from fxanchor.model.syntax import parse_source
from fxanchor.paper.document import Paper, Passage

_NUMBER = re.compile(r"\s*(\d{1,3})(?=\s|$)")
# Addresses of web pages stand in code font in the list of sources.
_SOURCES = {"references", "bibliography"}


def extract_listings(paper: Paper) -> tuple[Listing, ...]:
    """Return the listings of a paper in reading order.

    Args:
        paper: From `read_paper`. A single line without a label counts as part of the running text.
    """
    passages = [passage for passage in paper.passages if passage.role == "listing" and _is_display(passage)]
    names = [passage.label or f"listing on page {_page(passage)}" for passage in passages]
    often, met = Counter(names), Counter[str]()
    listings = []
    for passage, name in zip(passages, names, strict=True):
        met[name] += 1
        part = f", part {met[name]}" if often[name] > 1 else ""
        steps, skipped = part_into_steps(passage.text)
        listings.append(Listing(name + part, _page(passage), passage.section, passage.text, steps, skipped))
    return tuple(listings)


def part_into_steps(text: str) -> tuple[tuple[Step, ...], str]:
    """Part the text of a listing into steps.

    A string that stands alone behind other statements is what those print. In a session with `>>>` prompts, it is
    what stands behind the prompts.

    Args:
        text: Lines with their breaks and indentation.

    Returns:
        The steps, and why there are none or "".
    """
    # Python counts fewer characters as line breaks than a text has, and the lines of both are compared.
    text = textwrap.dedent("\n".join(text.splitlines()))
    try:
        if any(line.startswith(">>>") for line in text.splitlines()):
            return _session(text), ""
        steps = tuple(_steps(_without_numbers(text)))
    except SyntaxError as error:
        lines, at = text.splitlines(), error.lineno or 1
        shown = lines[at - 1].strip()[:60] if at <= len(lines) else ""
        return (), f"line {at} is not Python: {shown}"
    except (ValueError, RecursionError, MemoryError) as error:
        return (), f"it is not Python: {error}"
    return steps, "" if steps else "there is no statement in it"


def _without_numbers(text: str) -> str:
    """Return a text without the numbers in front of its lines, where they count the lines."""
    lines = text.splitlines()
    numbers = [_NUMBER.match(line) for line in lines]
    values = [int(number[1]) for number in numbers if number]
    if len(lines) < 2 or len(values) < len(lines) or values != list(range(values[0], values[0] + len(values))):
        return text
    return textwrap.dedent(
        "\n".join(line[number.end() :] for line, number in zip(lines, numbers, strict=True) if number)
    )


def _steps(code: str) -> Iterator[Step]:
    lines, start, used = code.splitlines(), 1, False
    for statement in parse_source(code).body:
        text = _string(statement)
        if text is None or not used:
            # A first string is the docstring of the listing, not output.
            used = used or text is None
            continue
        yield Step("\n".join(lines[start - 1 : statement.lineno - 1]), start, textwrap.dedent(text))
        start, used = (statement.end_lineno or statement.lineno) + 1, False
    if used:
        yield Step("\n".join(lines[start - 1 :]), start, None)


def _session(text: str) -> tuple[Step, ...]:
    examples = doctest.DocTestParser().get_examples(text)
    for example in examples:
        parse_source(example.source)
    return tuple(Step(each.source, each.lineno + 1, each.want, interactive=True) for each in examples)


def _string(statement: ast.stmt) -> str | None:
    match statement:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return text
    return None


def _is_display(passage: Passage) -> bool:
    if passage.label:
        return True
    return passage.section.casefold() not in _SOURCES and len(passage.text.strip().splitlines()) > 1


def _page(passage: Passage) -> int:
    return passage.pieces[0].page if passage.pieces else 0
