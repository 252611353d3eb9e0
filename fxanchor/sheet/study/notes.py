"""What the reader wrote into a sheet survives when the sheet is made again: notes and ticked boxes, by card."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from fxanchor.sheet.study.options import Language
from fxanchor.sheet.study.words import say

_OPEN = re.compile(r"^<!-- notes (?P<identity>[^\s<>]+) -->[ \t]*$", re.MULTILINE)
_CLOSE = "<!-- /notes -->"
_BOX = re.compile(
    r"^(?P<head>[ \t]*[-*+] \[)(?P<tick>[ xX])(?P<tail>\] .*<!-- box (?P<identity>[^\s<>]+) (?P<box>\w+) -->)", re.M
)
# The headings of cards and of the sheet's parts; a note may have headings of its own.
_HEADING = re.compile(r"^(### \d+ · |## )", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Kept:
    """What the reader wrote.

    Attributes:
        notes: Text between the markers, by the identity of the card.
        ticked: Identity and name of every ticked box.
    """

    notes: dict[str, str] = field(default_factory=dict)
    ticked: frozenset[tuple[str, str]] = frozenset()


def notes_block(identity: str) -> str:
    """Return an empty place for notes on a card."""
    return f"<!-- notes {identity} -->\n{_CLOSE}"


def box(words: str, identity: str, name: str) -> str:
    """Return an empty check box of a card."""
    return f"- [ ] {words} <!-- box {identity} {name} -->"


def read_kept(*texts: str) -> Kept:
    """Return what the reader wrote into a sheet.

    A closing marker that is missing does not lose the note: it ends where the next heading, the next note or the page
    ends.

    Args:
        texts: The pages of the sheet.
    """
    notes: dict[str, str] = {}
    ticked: set[tuple[str, str]] = set()
    for text in texts:
        for found in _OPEN.finditer(text):
            note = _between_markers(text[found.end() :])
            if note.strip():
                # Two notes of one card, as after joining sheets by hand: both are the reader's.
                known = notes.get(found["identity"])
                notes[found["identity"]] = note if known is None or known == note else f"{known}\n\n{note}"
        ticked.update((one["identity"], one["box"]) for one in _BOX.finditer(text) if one["tick"] != " ")
    return Kept(notes, frozenset(ticked))


def without_notes(text: str) -> str:
    """Return a text with every note empty and every box without its tick, as it was when it was made."""
    parts, at = [], 0
    for found in _OPEN.finditer(text):
        if found.start() < at:
            continue
        rest = text[found.end() :]
        note = _between_markers(rest)
        end = found.end() + (rest.index(note) + len(note) if note else 0)
        parts.append(f"{text[at : found.start()]}{notes_block(found['identity'])}")
        close = len(text) - len(text[end:].lstrip())
        at = close + len(_CLOSE) if text.startswith(_CLOSE, close) else end
    return _BOX.sub(lambda box: f"{box['head']} {box['tail']}", "".join(parts) + text[at:])


def _between_markers(rest: str) -> str:
    """Return the note at the head of a text, without the newlines around it."""
    close, following = rest.find(_CLOSE), _at(_OPEN, rest)
    if close >= 0 and not 0 <= following < close:
        return rest[:close].strip("\n")
    ends = [at for at in (following, _at(_HEADING, rest)) if at >= 0]
    return rest[: min(ends, default=len(rest))].strip("\n")


def places(text: str) -> Kept:
    """Return what a text has a place for: identities with empty notes, and all its boxes."""
    notes = {found["identity"]: "" for found in _OPEN.finditer(text)}
    return Kept(notes, frozenset((found["identity"], found["box"]) for found in _BOX.finditer(text)))


def restore(text: str, kept: Kept, language: Language) -> str:
    """Return a new sheet with what the reader wrote in its place; what has no place goes to an appendix.

    Args:
        text: The sheet as made anew.
        kept: What was in the old one.
        language: Of the sheet's own words.
    """
    there = places(text)
    filled = _OPEN.sub(lambda found: _filled(found, kept), text)
    ticked = _BOX.sub(
        lambda found: (
            f"{found['head']}x{found['tail']}" if (found["identity"], found["box"]) in kept.ticked else found[0]
        ),
        filled,
    )
    homeless = {identity: note for identity, note in kept.notes.items() if identity not in there.notes}
    ticks = sorted(kept.ticked - there.ticked)
    return ticked + _appendix(homeless, ticks, language) if homeless or ticks else ticked


def _filled(found: re.Match[str], kept: Kept) -> str:
    note = kept.notes.get(found["identity"])
    return f"{found[0]}\n{note}" if note else found[0]


def _appendix(homeless: dict[str, str], ticks: Sequence[tuple[str, str]], language: Language) -> str:
    parts = [f"\n## {say('homeless', language)}\n"]
    for identity, note in sorted(homeless.items()):
        parts.append(f"\n`{identity}`\n\n<!-- notes {identity} -->\n{note}\n{_CLOSE}\n")
    if ticks:
        parts.append("\n")
    parts.extend(f"- [x] `{identity}` <!-- box {identity} {name} -->\n" for identity, name in ticks)
    return "".join(parts)


def _at(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.search(text)
    return found.start() if found else -1
