"""The Anki deck can be imported again and again: its identifiers stay, and nothing in it breaks a row."""

import csv
import re
from dataclasses import replace

import pytest
from helpers.project import ROOT
from helpers.study_sheets import REQUEST, primer_study

from fxanchor.sheet.study.anki import is_deck, study_deck
from fxanchor.sheet.study.content import Study
from fxanchor.sheet.study.options import Language
from fxanchor.sheet.study.quotes import Quote


@pytest.fixture(autouse=True)
def at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return list(csv.reader(lines, delimiter="\t"))


def with_quote(study: Study, words: str) -> Study:
    cards = tuple(replace(card, quotes=(Quote(words, "1", 1, 1),)) for card in study.cards)
    return replace(study, cards=cards)


def test_it_says_how_to_read_it() -> None:
    head = [line for line in study_deck(primer_study(), REQUEST).splitlines() if line.startswith("#")]
    assert head[0] == "#separator:tab"
    assert "#html:true" in head
    assert "#guid column:1" in head
    assert "#tags column:4" in head


def test_every_row_has_its_four_columns_and_an_identifier_of_its_own() -> None:
    found = rows(study_deck(primer_study(), REQUEST))
    assert {len(row) for row in found} == {4}
    assert all(all(row) for row in found)
    assert len({row[0] for row in found}) == len(found) > len(primer_study().cards)


def test_a_cell_is_html_of_code_spans_and_breaks_alone() -> None:
    for row in rows(study_deck(primer_study(), REQUEST)):
        for cell in row[1:3]:
            assert set(re.findall(r"<[^>]*>", cell)) <= {"<code>", "</code>", "<br>"}
            assert cell.count("<code>") == cell.count("</code>")
            assert "`" not in re.sub(r"<code>.*?</code>", "", cell)


def test_identifiers_stay_when_cards_move_and_words_change() -> None:
    study = primer_study()
    changed = with_quote(replace(study, cards=tuple(reversed(study.cards))), "Other words.")
    assert {row[0] for row in rows(study_deck(changed, REQUEST))} == {
        row[0] for row in rows(study_deck(study, REQUEST))
    }


def test_the_languages_are_different_cards() -> None:
    chinese = {row[0] for row in rows(study_deck(primer_study(), replace(REQUEST, language=Language.zh)))}
    assert chinese.isdisjoint({row[0] for row in rows(study_deck(primer_study(), REQUEST))})


@pytest.mark.parametrize("words", ['a\ttab and "quotes"', "two\nlines", "<script>alert(1)</script> & `code`", "#html"])
def test_what_a_paper_says_breaks_no_row(words: str) -> None:
    found = rows(study_deck(with_quote(primer_study(), words), REQUEST))
    assert {len(row) for row in found} == {4}
    assert not any("<script>" in cell for row in found for cell in row)


def test_a_deck_knows_itself() -> None:
    assert is_deck(study_deck(primer_study(), REQUEST))
    assert not is_deck("#separator:tab\nmine\t1\n")
