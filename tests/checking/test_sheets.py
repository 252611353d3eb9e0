"""A study sheet of our own: whatever drifts by a line is found, and nothing is flagged while nothing has."""

import re
from functools import cache
from pathlib import Path

import pytest
from helpers.project import PRIMER

from fxanchor.checking.check import Request, check_text
from fxanchor.checking.library import Library
from fxanchor.checking.paperfacts import PaperFacts
from fxanchor.checking.reading import read_text
from fxanchor.checking.reference import Checked
from fxanchor.paper.read import read_paper
from fxanchor.sheet.study.make import make_sheet
from fxanchor.sheet.study.options import Language, Level, SheetRequest
from fxanchor.source.index import open_index

# A stop, a range, a `raise` statement or a permalink.
NUMBER = re.compile(r"(?<=\.py:)\d+(?:-\d+)?|(?<=#L)\d+-L\d+")
FLAGGED = ("wrong", "moved")


@cache
def sheet(language: Language) -> str:
    return make_sheet(
        SheetRequest(
            paper=str(PRIMER),
            models=(),
            packages=(),
            password=None,
            level=Level.intro,
            only=(),
            language=language,
        )
    )


@cache
def request() -> Request:
    return Request(Library(open_index(["torch.fx"])), PaperFacts(read_paper(PRIMER)))


def checked(text: str, folder: Path) -> Checked:
    file = folder / "study.md"
    file.write_text(text, encoding="utf-8")
    return check_text(read_text(file), request())


@pytest.mark.parametrize("language", list(Language))
def test_a_fresh_sheet_is_right(language: Language, tmp_path: Path) -> None:
    found = checked(sheet(language), tmp_path).references
    assert [one for one in found if one.verdict != "right"] == []
    assert {one.kind for one in found} == {"line", "quote"}
    # Each range, link, stop and `raise` of the sheet has been looked at.
    assert len([one for one in found if one.kind == "line"]) >= len(NUMBER.findall(sheet(language)))


@pytest.mark.parametrize("shift", [1, -1])
def test_a_number_that_drifts_by_a_line_is_found(shift: int, tmp_path: Path) -> None:
    text = sheet(Language.en)
    missed = []
    # Every seventh keeps it short; over a whole sheet none is missed either.
    for match in list(NUMBER.finditer(text))[::7]:
        for part in re.finditer(r"\d+", match.group()):
            at = match.start() + part.start()
            drifted = text[:at] + str(int(part.group()) + shift) + text[at + len(part.group()) :]
            if not any(one.verdict in FLAGGED for one in checked(drifted, tmp_path).references):
                missed.append(text[max(0, at - 40) : at + 10])
    assert missed == []


def test_code_that_changed_is_found(tmp_path: Path) -> None:
    text = sheet(Language.en)
    line = next(one for one in text.split("```python\n", 1)[1].split("\n") if "return" in one and len(one) > 12)
    found = checked(text.replace(line, line + "_changed", 1), tmp_path).references
    assert [one.verdict for one in found if one.verdict in FLAGGED] == ["wrong"]


def test_a_definition_that_has_gone_is_found(tmp_path: Path) -> None:
    text = sheet(Language.en)
    identity = re.findall(r"<!-- notes (\S+) -->", text)[0]
    found = checked(
        text.replace(f"<!-- notes {identity} -->", f"<!-- notes {identity}_gone -->", 1), tmp_path
    ).references
    gone = [one for one in found if one.verdict == "wrong"]
    assert gone
    assert f"{identity}_gone is not in the installed torch.fx" in gone[0].evidence


def test_a_quotation_that_the_paper_does_not_have_is_found(tmp_path: Path) -> None:
    text = re.sub(r"^> (\w+ )", r"> \1never ", sheet(Language.en), count=1, flags=re.M)
    found = checked(text, tmp_path).references
    assert [(one.verdict, one.kind) for one in found if one.verdict in FLAGGED] == [("wrong", "quote")]
