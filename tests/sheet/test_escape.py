"""What a paper or a model says stays text: in the terminal, in markdown, in code."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from fxanchor.sheet import escape

HOSTILE = [
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "a\u202egnp.exe",
    "<script>alert(1)</script>",
    "[click](javascript:alert(1))",
    "![x](http://example.org/x.png)",
    "a | b || c",
    "`code` ``more``",
    "# heading",
    "1. list",
    "- item",
    "**bold** _it_ ~~gone~~",
    "&lt;b&gt; &amp;",
    "back\\slash",
    "$x$ <!-- hidden -->",
    "a tag\U000e0041 beyond the first plane",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_plain_text_holds_no_character_that_a_terminal_obeys(text: str) -> None:
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", escape.plain(text))


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_renders_as_the_very_text(text: str) -> None:
    rendered = MarkdownIt("gfm-like", {"linkify": False}).render(escape.markdown(text)).strip()
    assert html.unescape(rendered.removeprefix("<p>").removesuffix("</p>")) == escape.plain(text)


@given(st.text(alphabet=st.characters(exclude_categories=("Cc", "Cf", "Co", "Cs", "Zl", "Zp", "Zs")), min_size=1))
def test_any_text_survives_markdown(text: str) -> None:
    tokens = MarkdownIt("commonmark").parse(escape.markdown(text))
    said = "".join(child.content for token in tokens for child in token.children or [])
    assert said == escape.plain(text)


@given(st.text(alphabet="`a |\\", min_size=1, max_size=12).filter(str.strip))
def test_a_code_span_shows_its_text(text: str) -> None:
    shown = MarkdownIt("commonmark").parseInline(escape.code_span(text))[0].children
    assert shown is not None
    assert [child.type for child in shown] == ["code_inline"]
    assert shown[0].content == escape.plain(text)


@given(st.text(alphabet="`a\n ", max_size=30))
def test_a_code_block_cannot_be_left_from_within(text: str) -> None:
    tokens = MarkdownIt("commonmark").parse(escape.code_block(text) + "\n\nafter")
    assert [token.type for token in tokens][:2] == ["fence", "paragraph_open"]


def test_every_way_to_end_a_line_or_hide_a_letter_is_shown_by_its_number() -> None:
    assert escape.plain_lines("a\u2028b\n  c\U000e0041") == r"a\u2028b" + "\n" + r"  c\U000e0041"


def test_shortened_text_fits() -> None:
    assert escape.shortened("a long sentence", 8) == "a long…"
    assert escape.shortened("short", 8) == "short"
