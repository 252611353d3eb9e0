"""Links from `path:line` to an editor, for terminals that take them."""

from collections.abc import Mapping
from pathlib import Path
from typing import IO, Literal
from urllib.parse import quote

Editor = Literal["file", "vscode", "idea", "none"]

# Terminals that are known to understand OSC 8, by a variable they set.
_BY_VARIABLE = ("KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION", "DOMTERM", "WEZTERM_PANE", "GHOSTTY_RESOURCES_DIR")
_BY_PROGRAM = ("iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby", "rio")
_BY_TERM = ("xterm-kitty", "alacritty", "foot", "contour", "xterm-ghostty", "wezterm")
# The first VTE (GNOME Terminal and others) whose links work without crashing it.
_VTE = 5001


def takes_links(stream: IO[str], environment: Mapping[str, str]) -> bool:
    """Return whether a stream is a terminal that shows OSC 8 links, and not their escape codes.

    Args:
        stream: Where the text goes.
        environment: The environment variables; `FORCE_HYPERLINK` decides when set (`0` is no).
    """
    if forced := environment.get("FORCE_HYPERLINK"):
        return forced != "0"
    if not stream.isatty() or environment.get("TERM") == "dumb" or environment.get("CI"):
        return False
    if any(environment.get(name) for name in _BY_VARIABLE) or environment.get("TERM_PROGRAM") in _BY_PROGRAM:
        return True
    version = environment.get("VTE_VERSION", "")
    return environment.get("TERM", "").startswith(_BY_TERM) or (version.isdecimal() and int(version) >= _VTE)


def editor_url(path: Path, line: int, editor: Editor) -> str:
    """Return the address that opens a line of a file, or "" for no editor.

    Args:
        path: The file.
        line: 1-based line.
        editor: Which program takes the address.
    """
    if editor == "none":
        return ""
    place = quote(path.absolute().as_posix())
    if editor == "vscode":
        return f"vscode://file{place if place.startswith('/') else f'/{place}'}:{line}"
    if editor == "idea":
        return f"idea://open?file={place}&line={line}"
    return f"file://{place if place.startswith('/') else f'/{place}'}"


def linked(text: str, url: str) -> str:
    """Return text that a terminal shows as a link (OSC 8), or the text itself when there is no address."""
    return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\" if url else text
