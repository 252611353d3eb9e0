"""The names of all linking rules, so that each can be switched off and its worth measured."""

from typing import Final

from fxanchor.concepts.fates import FATES
from fxanchor.concepts.finders import FINDERS, HEADING_FINDERS
from fxanchor.concepts.vetoes import FONT_VETOES, VETOES

# Rules that work on whole listings, sentences or sections rather than on one candidate.
_LISTINGS: Final = ("listings", "comments", "implied_imports")
_TEXT: Final = ("joined_lines",)
_PHRASES: Final = ("catalogue", "spaced_name", "acronym", "docstring", "heading_topic")

ALL_RULES: Final[frozenset[str]] = frozenset(
    [
        *(rule.__name__ for rule in (*VETOES, *HEADING_FINDERS, *FONT_VETOES, *FINDERS, *FATES)),
        *_LISTINGS,
        *_TEXT,
        *_PHRASES,
    ]
)
