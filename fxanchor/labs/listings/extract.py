"""Take the listings out of a paper and part each into code and what the paper says it prints."""

import ast
import doctest
import textwrap
from collections import Counter
from collections.abc import Iterator

from fxanchor.concepts.listing import parse_listing
from fxanchor.labs.listings.listing import Listing, Step
from fxanchor.paper.document import Paper, Passage

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
    text = textwrap.dedent(text)
    try:
        if any(line.startswith(">>>") for line in text.splitlines()):
            return _session(text), ""
        parsed = parse_listing(text)
        if parsed.dropped:
            first = min(parsed.dropped)
            shown = text.splitlines()[first].strip()[:60] if first < len(text.splitlines()) else ""
            return (), f"line {first + 1} is not Python: {shown}"
        code = "\n".join(parsed.lines)
        steps = tuple(_steps(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return (), f"it is not Python: {error}"
    return steps, "" if steps else "there is no statement in it"


def _steps(code: str) -> Iterator[Step]:
    lines, start, used = code.splitlines(), 1, False
    for statement in ast.parse(code).body:
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
        ast.parse(example.source)
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
