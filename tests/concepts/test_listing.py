"""Parsing listings as papers print them: with prompts, numbers, outputs, and in other languages."""

import ast
from pathlib import Path

import pytest
from helpers.cases import CASES
from hypothesis import given
from hypothesis import strategies as st

from fxanchor.concepts.listing import Listing, parse_listing

FILES = sorted((CASES / "concepts" / "listing").glob("*.txt"))
LINES = st.lists(
    st.sampled_from(
        [
            "x = f(1)",
            "for n in g.nodes:",
            "    print(n)",
            "  return y",
            "class A(B):",
            "%3 : int",
            ">>> a",
            "... b",
            "(",
            "",
            "é = ü('ß')",
        ]
    ),
    max_size=12,
)


def bound(listing: Listing) -> list[str]:
    """Return the names that the tree uses or binds, of lines that are Python."""
    found = []
    for node in ast.walk(listing.tree):
        if isinstance(node, ast.Name):
            found.append(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found += [alias.name for alias in node.names]
    return sorted(found)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    text, _, wanted = path.read_text(encoding="utf-8").partition("-- names\n")
    listing = parse_listing(text.rstrip("\n"))
    assert bound(listing) == wanted.split()
    assert listing.is_python == bool(wanted.strip())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_name_is_found_again_in_the_text(path: Path) -> None:
    check_places(path.read_text(encoding="utf-8").partition("-- names\n")[0])


@given(LINES)
def test_places_are_true_whatever_the_lines_are(lines: list[str]) -> None:
    check_places("\n".join(lines))


def check_places(text: str) -> None:
    listing = parse_listing(text)
    for node in ast.walk(listing.tree):
        if isinstance(node, ast.Name):
            start = listing.index(node.lineno, node.col_offset)
            assert text[start : start + len(node.id)] == node.id


@given(st.text(max_size=200))
def test_any_text_is_taken(text: str) -> None:
    listing = parse_listing(text)
    assert len(listing.lines) == len(listing.starts)
    assert all(0 <= start <= end <= len(text) for start, end in listing.comments())


def test_comments_are_told_from_strings() -> None:
    text = "x = 'a # b'  # capture\n# all\n"
    assert [text[start:end] for start, end in parse_listing(text).comments()] == ["# capture", "# all"]


def test_a_very_long_listing_is_left_alone() -> None:
    assert not parse_listing("x = 1\n" * 10_000).is_python
