"""One statement, one verdict: the cases are lines of `tests/cases/checking/statements/`."""

from functools import cache
from pathlib import Path

import pytest
from helpers.cases import CASES, arrow_cases
from helpers.project import PRIMER

from fxanchor.checking.check import Request, check_file
from fxanchor.checking.library import Library
from fxanchor.checking.paperfacts import PaperFacts
from fxanchor.checking.reference import Checked
from fxanchor.paper.read import read_paper
from fxanchor.source.index import open_index

STATEMENTS = CASES / "checking" / "statements"
PACKAGE = CASES / "checking" / "package"
FLAGGED = ("wrong", "moved")


@cache
def request(package: str, with_paper: bool) -> Request:
    library = Library(open_index([package], source=PACKAGE))
    return Request(library, PaperFacts(read_paper(PRIMER)) if with_paper else None)


def checked(statement: str, folder: Path, *, package: str = "lathe", with_paper: bool = False) -> Checked:
    file = folder / "text.md"
    file.write_text(f"This is about {package}.\n\n{statement}\n", encoding="utf-8")
    return check_file(file, request(package, with_paper))


def cases() -> list[tuple[str, str, str]]:
    return [(file.stem, *case) for file in sorted(STATEMENTS.glob("*.txt")) for case in arrow_cases(file)]


@pytest.mark.parametrize(("kind", "statement", "expected"), cases())
def test_a_statement_gets_its_verdict(kind: str, statement: str, expected: str, tmp_path: Path) -> None:
    package = "lathe.engine" if kind == "dotted" else "lathe"
    found = checked(statement, tmp_path, package=package, with_paper=kind == "paper").references
    told = [(one.verdict, one.kind, f"{one.evidence}; {one.suggestion}") for one in found]
    words = expected.removeprefix("cannot tell").split(maxsplit=2)
    verdict = "cannot tell" if expected.startswith("cannot tell") else words.pop(0)
    if verdict not in FLAGGED:
        assert [one for one in told if one[0] in FLAGGED] == []
    if verdict != "nothing":
        said = words[1] if len(words) > 1 else ""
        assert [one for one in told if one[0] == verdict and one[1] == words[0] and said in one[2]], told
