"""Make what a paper or a model says harmless and faithful in the terminal and in markdown."""

import re

from fxanchor.model.plain import escape_controls

_MARKDOWN = re.compile(r"([\\`*_\[\]<>|#~$!])")
# No name is as long; both ends of what is cut stay, so that one sees what it was.
_LONG_WORD = re.compile(r"(\S{120})\S{60,}(\S{40})")
# A list item or an underline of a heading begins so, and only at the start of a line.
_LINE_START = re.compile(r"^(\d{1,9}(?=[.)](?:\s|$))|(?=[-+=]))([-+=.)])")


def plain(text: str) -> str:
    r"""Return `text` on one line, with every character that a terminal would obey written as `\\xNN` or `\\uNNNN`."""
    return escape_controls(" ".join(text.split()))


def plain_lines(text: str) -> str:
    """Do as `plain`, line by line, keeping line breaks and indentation."""
    return escape_controls("\n".join(line.rstrip("\r") for line in text.expandtabs(4).split("\n")))


def shortened(text: str, width: int) -> str:
    """Return `text` on one line of at most `width` characters, ending in an ellipsis when it was cut."""
    text = plain(text)
    return text if len(text) <= width else text[: max(0, width - 1)].rstrip() + "…"


def said(text: str, width: int) -> str:
    """Return a sentence on one line of at most `width` characters, with long words in it cut in their middle.

    What was typed or what a paper says may be of any length, and stands in front of what is said of it.
    """
    return shortened(_LONG_WORD.sub(r"\1…\2", text), width)


def markdown(text: str) -> str:
    """Return `text` for the flow of a markdown page: nothing in it is taken for markup, nor for the start of a list."""
    return _LINE_START.sub(r"\1\\\2", _MARKDOWN.sub(r"\\\1", plain(text).replace("&", "&amp;")))


def code_span(text: str, *, in_table: bool = False) -> str:
    """Return `text` as a markdown code span, with a fence longer than any run of backticks in it.

    Args:
        text: What to show.
        in_table: Whether the span stands in a table, where a bar ends the cell even inside a span.
    """
    text = plain(text)
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    if in_table:
        text = text.replace("|", r"\|")
    return f"{fence}{pad}{text}{pad}{fence}" if text else ""


def code_block(text: str, language: str = "python") -> str:
    """Return `text` as a fenced code block, with a fence longer than any in it."""
    body = plain_lines(text).strip("\n")
    longest = max((len(run) for run in re.findall(r"^\s*(`{3,})", body, re.MULTILINE)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{body}\n{fence}"
