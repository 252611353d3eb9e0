"""Papers written as text files: `code` in backticks, listings in fences, headings behind `#`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fxanchor.paper.document import Box, Paper, Passage, Piece, Pieces, Role, Section

_MARKS: dict[str, Role] = {"!": "caption", "^": "footnote", "|": "table", "@": "reference", "~": "figure"}


@dataclass(frozen=True)
class Expected:
    """A line of a case: a status, a surface, and what must be its symbol (`->`) or be in its reason (`~`)."""

    status: str
    surface: str
    symbol: str = ""
    reason: str = ""


@dataclass
class Case:
    """A paper and what linking must make of it."""

    path: Path
    paper: Paper
    packages: list[str] = field(default_factory=lambda: ["torch.fx"])
    keywords: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    expected: list[Expected] = field(default_factory=list)
    exact: bool = False


def read_case(path: Path) -> Case:
    """Read a case file: a head of `key: value` lines, the paper, and the expected links, each behind a `--` line."""
    head, body, tail = re.split(r"^-- (?:paper|expected)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    said = dict(line.split(": ", 1) for line in head.splitlines() if line.strip() and line[0] != "#")
    fonts = said.get("fonts", "code") != "none"
    case = Case(path, paper_of(body, title=said.get("title", ""), fonts=fonts))
    case.packages = said.get("package", "torch.fx").split()
    case.keywords = said.get("keywords", "").split(", ") if said.get("keywords") else []
    case.rules = said.get("rule", "").split()
    for line in tail.splitlines():
        if line.strip() == "exact":
            case.exact = True
        elif line.strip() and line[0] != "#":
            case.expected.append(_expected(line))
    return case


def _expected(line: str) -> Expected:
    status, rest = line.split(None, 1)
    surface, mark, value = re.match(r"(.*?)(?: (->|~) (.*))?$", rest.strip()).groups()  # type: ignore[union-attr]
    return Expected(status, surface, value if mark == "->" else "", value if mark == "~" else "")


def paper_of(text: str, *, title: str = "", fonts: bool = True) -> Paper:
    """Return the paper that a text describes: one page, one line for each line of the text.

    Args:
        text: The text.
        title: The title.
        fonts: Whether code is set in a font of its own.
    """
    passages = []
    sections = []
    section = ""
    if title:
        passages.append(_passage("title", "", title, 1, fonts))
    for line, block in _blocks(text):
        if block.startswith("```"):
            passages.append(_listing(section, block.strip("`\n"), line + 1, fonts))
        elif block.startswith("#"):
            heading = block.lstrip("# ")
            number = re.match(r"(?:\d+|[A-Z])(?:\.\d+)*(?= )", heading)
            section = number.group() if number else heading
            name = heading[number.end() :].strip() if number else heading
            sections.append(Section(number.group() if number else "", name, section.count(".") + 1, 1, line))
            passages.append(_passage("heading", section, heading, line, fonts))
        elif block[0] in _MARKS:
            passages.append(_passage(_MARKS[block[0]], section, block[1:].strip(), line, fonts))
        else:
            passages.append(_passage("prose", section, block, line, fonts))
    return Paper("0" * 64, title, 1, tuple(passages), tuple(sections), fonts)


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """Give the blocks that blank lines part, with the line each begins on; a fence keeps its blank lines."""
    gathered: list[str] = []
    start = 0
    fenced = False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.startswith("```"):
            fenced = not fenced
        if not line.strip() and not fenced:
            if gathered:
                yield start, "\n".join(gathered)
            gathered = []
            continue
        if not gathered:
            start = number
        gathered.append(line)


def _passage(role: Role, section: str, marked: str, line: int, fonts: bool) -> Passage:
    """Join the lines by blanks, but not behind a hyphen, and take the backticks for the code font."""
    text = ""
    pieces: list[Piece] = []
    code = False
    for number, row in enumerate(marked.splitlines()):
        text += " " if text and not text.endswith("-") else ""
        for part in re.split(r"(`)", row):
            if part == "`":
                code = not code
            elif part:
                pieces.append(_piece(len(text), part, line + number, code and fonts))
                text += part
    return Passage(role, section, text, Pieces.of(pieces))


def _listing(section: str, text: str, line: int, fonts: bool) -> Passage:
    pieces = []
    at = 0
    for number, row in enumerate(text.split("\n")):
        if row:
            pieces.append(_piece(at, row, line + number, fonts))
        at += len(row) + 1
    return Passage("listing", section, text, Pieces.of(pieces))


def _piece(start: int, text: str, line: int, code: bool) -> Piece:
    box = Box(10.0, 800.0 - 10 * line, 10.0 + 5 * len(text), 808.0 - 10 * line)
    return Piece(start, start + len(text), 1, line, box, "Mono" if code else "Roman", 10.0, code)
