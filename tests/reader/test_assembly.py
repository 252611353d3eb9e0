"""The file is made of the parts that ship: words in both languages, one policy, the same bytes each time."""

import base64
import hashlib
import re
from importlib.resources import files
from pathlib import Path

import pytest
from helpers.project import ROOT
from helpers.reader_pages import Shown

from fxanchor.errors import InputError
from fxanchor.sheet.reader.page import assemble, is_reader, reader_page
from fxanchor.sheet.reader.words import page_words
from fxanchor.sheet.study.make import previous_sheet
from fxanchor.sheet.study.options import Language, SheetFormat

SCRIPTS = ("dom.js", "code.js", "details.js", "paper.js", "reader.js")
MOST_BYTES = 8_000_000


def part(name: str) -> str:
    return files("fxanchor.sheet.reader").joinpath(name).read_text(encoding="utf-8")


def empty(language: Language = Language.en) -> str:
    document = {"words": page_words(language), "source": "", "models": [], "mentions": [], "concepts": []}
    return assemble("Title", (), document, language)


def test_both_languages_have_every_word_with_the_same_values() -> None:
    english, chinese = page_words(Language.en), page_words(Language.zh)
    for key, words in english.items():
        assert words
        assert sorted(re.findall(r"\{\w+\}", words)) == sorted(re.findall(r"\{\w+\}", chinese[key])), key


def test_the_page_asks_only_for_words_that_there_are() -> None:
    asked = set(re.findall(r"\{\{say ([\w ]+)\}\}", part("reader.html")))
    for name in SCRIPTS:
        asked |= set(re.findall(r"say\('([^']+)'", part(name)))
    assert asked - set(page_words(Language.en)) == set()


def test_every_word_is_used() -> None:
    text = part("reader.html") + "".join(part(name) for name in SCRIPTS) + part("page.py")
    statuses = {"linked", "moved", "missing", "outside", "refused"}
    built = {*statuses, *(f"{status} means" for status in statuses)} | {
        f"theme {name}" for name in ("auto", "light", "dark")
    }
    built |= {"holds", "does not hold", "changed since", "not applicable", "not reached", "not executable"}
    unused = [
        key for key in page_words(Language.en) if key not in built and not re.search(rf"['\" ]{key}['\"}}]", text)
    ]
    assert unused == []


@pytest.mark.parametrize("language", list(Language))
def test_the_policy_allows_this_style_and_this_script_alone(language: Language) -> None:
    page = empty(language)
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy.startswith("default-src 'none'; img-src data:; ")
    assert "unsafe" not in policy
    (style,), (script,) = (
        re.findall(r"<style>(.*?)</style>", page, re.S),
        re.findall(r"<script>(.*?)</script>", page, re.S),
    )
    for kind, text in (("style", style), ("script", script)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy


def test_the_page_speaks_its_language() -> None:
    assert '<html lang="zh">' in empty(Language.zh)
    assert "搜索概念与语句" in empty(Language.zh)
    assert not re.search("[一-鿿]", empty(Language.en))


def test_data_cannot_end_its_script() -> None:
    document = {"words": page_words(Language.en), "source": "", "models": [], "x": "</script><!--<script>&"}
    page = assemble("T", (), document, Language.en)
    (data,) = re.findall(r'id="data">(.*?)</script>', page, re.S)
    assert not set("<>&") & set(data)


def test_the_same_input_gives_the_same_bytes(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert reader_page(shown.study, Language.en) == shown.page


def test_the_page_names_no_place_of_this_machine(shown: Shown) -> None:
    assert str(ROOT) not in shown.page
    assert str(Path.home()) + "/" not in shown.page


def test_the_file_can_be_sent(shown: Shown) -> None:
    assert len(shown.page.encode()) < MOST_BYTES / 3


def test_the_page_is_known_again_and_another_file_is_not_overwritten(tmp_path: Path) -> None:
    ours, other = tmp_path / "ours.html", tmp_path / "other.html"
    ours.write_text(empty(), encoding="utf-8")
    other.write_text("<!doctype html><title>mine</title>", encoding="utf-8")
    assert is_reader(previous_sheet(ours, SheetFormat.html))
    with pytest.raises(InputError):
        previous_sheet(other, SheetFormat.html)


def test_a_page_that_was_not_drawn_says_so() -> None:
    from fxanchor.sheet.reader.pictures import Picture

    document = {"words": page_words(Language.en), "source": "", "models": [], "mentions": [], "concepts": []}
    texts = {1: ["A <b>paragraph</b>."]}
    page = assemble("T", (Picture(1, 612, 792, "", ()),), document, Language.en, texts)
    assert "This page could not be drawn." in page
    assert "<p>A &lt;b&gt;paragraph&lt;/b&gt;.</p>" in page
    assert "<img" not in page
