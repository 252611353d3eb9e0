"""Links are written only for terminals that take them, and open the right line."""

import io
from pathlib import Path

import pytest

from fxanchor.breakpoints.links import Editor, editor_url, linked, takes_links


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, False),
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "xterm-256color", "VTE_VERSION": "6800"}, True),
        ({"TERM": "xterm-256color", "VTE_VERSION": "4200"}, False),
        ({"TERM": "xterm-256color", "VTE_VERSION": "odd"}, False),
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "foot-extra"}, True),
        ({"TERM_PROGRAM": "vscode"}, True),
        ({"TERM_PROGRAM": "Apple_Terminal"}, False),
        ({"WT_SESSION": "1"}, True),
        ({"WT_SESSION": "1", "TERM": "dumb"}, False),
        ({"WT_SESSION": "1", "CI": "true"}, False),
        ({"WT_SESSION": "1", "FORCE_HYPERLINK": "0"}, False),
        ({"FORCE_HYPERLINK": "1"}, True),
    ],
)
def test_a_terminal_takes_links(environment: dict[str, str], expected: bool) -> None:
    assert takes_links(Terminal(), environment) is expected


def test_a_pipe_takes_none() -> None:
    assert not takes_links(io.StringIO(), {"WT_SESSION": "1"})


@pytest.mark.parametrize(
    ("editor", "expected"),
    [
        ("file", "file:///a%20b/net.py"),
        ("vscode", "vscode://file/a%20b/net.py:12"),
        ("idea", "idea://open?file=/a%20b/net.py&line=12"),
        ("none", ""),
    ],
)
def test_an_address_opens_the_line(editor: Editor, expected: str) -> None:
    assert editor_url(Path("/a b/net.py"), 12, editor) == expected


def test_a_link_is_an_osc_8_sequence_around_the_text() -> None:
    assert linked("net.py:12", "file:///net.py") == "\x1b]8;;file:///net.py\x1b\\net.py:12\x1b]8;;\x1b\\"
    assert linked("net.py:12", "") == "net.py:12"
