"""What the catalogue says of the package as a whole: how a capture is begun, and what records during it."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from fxanchor.breakpoints.recording import Value
from fxanchor.breakpoints.wire import from_plain


@dataclass(frozen=True, slots=True)
class CaptureFacts:
    """The facts that proving needs of the captured package.

    Attributes:
        entry: Qualified name of the function that a user calls with a model to capture it.
        objects: Qualified names of the classes whose instances record what is done to them.
        functions: Qualified names of the functions that add to the graph.
        look_through: Attribute of a recording object through which it can be looked at safely.
        made_at: Concept of the breakpoint that is reached once for every node made.
        made_variable: Local variable that holds the node there.
        first_stop: Concept of the breakpoint to open a debugger at when none is named.
        chains: The chains of the catalogue that a capture runs through.
    """

    entry: str
    objects: tuple[str, ...]
    functions: tuple[str, ...]
    look_through: str
    made_at: str
    made_variable: str
    first_stop: str
    chains: tuple[str, ...]


def load_facts() -> CaptureFacts:
    """Return the facts of the catalogue that ships with fxanchor."""
    return from_plain(CaptureFacts, _read()["recording"])


def load_states(language: str = "en") -> dict[str, str]:
    """Return the state that a breakpoint of the catalogue shows, in words, by its concept.

    Args:
        language: `en`, or another one that the catalogue has (`zh`).
    """
    key = "state" if language == "en" else f"state_{language}"
    return {row["concept"]: row[key] for row in _read()["breakpoint"] if key in row}


def load_names(language: str) -> dict[str, str]:
    """Return what a breakpoint of the catalogue is called in a language, by its concept.

    Args:
        language: As for `load_states`.
    """
    key = "concept" if language == "en" else f"concept_{language}"
    return {row["concept"]: row[key] for row in _read()["breakpoint"] if key in row}


@cache
def _read() -> dict[str, Value]:
    text = resources.files("fxanchor.breakpoints").joinpath("catalogue.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
