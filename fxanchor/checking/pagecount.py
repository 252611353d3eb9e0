"""How many pages a text says that the paper has."""

import re
from collections.abc import Iterator

from fxanchor.checking.paperfacts import PaperFacts
from fxanchor.checking.pronouns import is_paper
from fxanchor.checking.reference import Reference, Text, Verdict

_PAGES = re.compile(
    r"(?<![A-Za-z])(?:(?:The|This) paper|It) (?:has|is|spans|runs to) (?P<count>\d{1,4}) pages(?: long)?\s*(?=[.,;)])"
)


def check_page_count(text: Text, facts: PaperFacts) -> Iterator[Reference]:
    """Judge the number of pages that a text gives the paper.

    Args:
        text: The text.
        facts: The paper.
    """
    for match in _PAGES.finditer(text.plain):
        if not is_paper(text.plain, match.start("count")):
            continue
        pages = facts.paper.pages
        verdict: Verdict = "right" if int(match["count"]) == pages else "wrong"
        said = f"{pages} pages"
        yield Reference("quote", match.start(), match.end(), "the paper", verdict, f"its PDF has {said}", said)
