"""Notes and ticks of a reader outlive the sheet that they were written into."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fxanchor.errors import InputError
from fxanchor.sheet.study.front import is_sheet
from fxanchor.sheet.study.notes import Kept, box, notes_block, read_kept, restore
from fxanchor.sheet.study.options import Language
from fxanchor.sheet.study.seal import refuse_changed, sealed

CARDS = ("torch.fx.graph.Graph", "torch.fx.node.Node")


def sheet(*identities: str) -> str:
    cards = "".join(
        f"### {number} · {identity}\n\n{box('I have stood there', identity, 'stood')}\n\n{notes_block(identity)}\n\n"
        for number, identity in enumerate(identities, 1)
    )
    return f"---\ngenerator: fxanchor\n---\n\n# Sheet\n\n{cards}"


def written(text: str, identity: str, note: str) -> str:
    marker = f"<!-- notes {identity} -->\n"
    return text.replace(marker, f"{marker}{note}\n")


def test_a_note_stays_with_its_card_when_the_cards_move() -> None:
    old = written(sheet(*CARDS), CARDS[0], "my *own* words\n\n- with a list")
    new = restore(sheet(*reversed(CARDS)), read_kept(old), Language.en)
    assert read_kept(new) == read_kept(old)
    assert new.index("my *own* words") > new.index(f"· {CARDS[0]}")


def test_a_sheet_without_notes_is_made_as_if_there_had_been_none() -> None:
    assert restore(sheet(*CARDS), read_kept(sheet(*CARDS)), Language.en) == sheet(*CARDS)


def test_making_a_sheet_again_and_again_changes_nothing_more() -> None:
    old = written(sheet(*CARDS), CARDS[1], "once").replace("- [ ]", "- [x]", 1)
    once = restore(sheet(*CARDS), read_kept(old), Language.en)
    assert restore(sheet(*CARDS), read_kept(once), Language.en) == once == old


@pytest.mark.parametrize("tick", ["x", "X"])
def test_a_tick_stays_also_in_another_language(tick: str) -> None:
    old = sheet(*CARDS).replace("- [ ]", f"- [{tick}]", 1)
    new = sheet(*CARDS).replace("I have stood there", "我在那里停下看过")
    assert read_kept(restore(new, read_kept(old), Language.zh)).ticked == {(CARDS[0], "stood")}


def test_a_note_whose_card_is_gone_waits_in_an_appendix_and_comes_home() -> None:
    old = written(sheet(*CARDS), CARDS[1], "do not lose me")
    without = restore(sheet(CARDS[0]), read_kept(old), Language.en)
    assert "do not lose me" in without.split("## Notes whose card is gone")[1]
    assert restore(sheet(*CARDS), read_kept(without), Language.en) == old


def test_a_missing_closing_marker_loses_nothing() -> None:
    old = written(sheet(*CARDS), CARDS[0], "kept").replace("<!-- /notes -->", "", 1)
    assert read_kept(old).notes[CARDS[0]].strip() == "kept"
    assert read_kept(written(sheet(CARDS[0]), CARDS[0], "last").replace("<!-- /notes -->", "")).notes == {
        CARDS[0]: "last"
    }


def test_what_looks_like_a_replacement_pattern_is_kept_as_it_is() -> None:
    note = r"\1 \g<0> $1 <b> & [x]"
    old = written(sheet(*CARDS), CARDS[0], note)
    assert read_kept(restore(sheet(*CARDS), read_kept(old), Language.en)).notes == {CARDS[0]: note}


def test_two_notes_of_one_card_are_both_kept() -> None:
    twice = written(sheet(CARDS[0]), CARDS[0], "first") + written(sheet(CARDS[0]), CARDS[0], "second")
    assert read_kept(twice).notes == {CARDS[0]: "first\n\nsecond"}


def test_other_files_are_not_taken_for_sheets() -> None:
    assert is_sheet(sheet(*CARDS))
    assert not is_sheet("# My notes\n\ngenerator: fxanchor\n")
    assert read_kept("# My notes") == Kept()


def test_a_tick_whose_card_is_gone_is_kept_until_it_is_back() -> None:
    old = sheet(*CARDS).replace(
        f"- [ ] I have stood there <!-- box {CARDS[1]}", f"- [x] I have stood there <!-- box {CARDS[1]}"
    )
    without = restore(sheet(CARDS[0]), read_kept(old), Language.en)
    assert read_kept(without) == read_kept(old)
    assert restore(sheet(*CARDS), read_kept(without), Language.en) == old


def test_a_note_without_its_end_does_not_reach_into_the_next_page() -> None:
    page = f"# One\n\n<!-- notes {CARDS[0]} -->\nmine\n"
    assert read_kept(page, f"---\ntitle: x\n---\n{sheet(CARDS[1])}") == Kept({CARDS[0]: "mine"}, frozenset())


@pytest.mark.parametrize(
    "change",
    [
        lambda text: written(text, CARDS[0], "mine\n\n## with a heading"),
        lambda text: written(text, CARDS[1], "mine").replace("<!-- /notes -->", "", 1),
        lambda text: written(text, CARDS[1], "mine").replace("\n<!-- /notes -->\n", "\n", 1),
        lambda text: text.replace("- [ ]", "- [X]"),
        lambda text: text.replace("\n", " \n").replace("--- \n", "---\n"),
        lambda text: text + "\n\n",
    ],
)
def test_notes_ticks_and_blanks_are_no_change(change: Callable[[str], str]) -> None:
    refuse_changed(change(sealed(sheet(*CARDS))), Path("study.md"))


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("# Sheet", "# Sheet\n\nMy own words."),
        lambda text: text + "\nMy own words.\n",
        lambda text: text.replace("<!-- /notes -->", "<!-- /notes -->\n\nMy own words.", 1),
        lambda text: text.replace("I have stood there", "I was there", 1),
        lambda text: text.replace("· torch.fx.node.Node", "· Node"),
    ],
)
def test_any_other_change_is_told_before_it_is_lost(change: Callable[[str], str]) -> None:
    with pytest.raises(InputError, match=r"study\.md was changed outside its places for notes"):
        refuse_changed(change(sealed(sheet(*CARDS))), Path("study.md"))


def test_a_sheet_from_before_there_were_digests_is_taken() -> None:
    refuse_changed(sheet(*CARDS) + "My own words.", Path("study.md"))
