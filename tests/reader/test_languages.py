"""A page in Chinese: its own words are Chinese, and what the layers below say in English is marked as that."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.browser import Browser
from helpers.project import ROOT
from helpers.reader_pages import Shown

from fxanchor.sheet.reader.page import reader_page
from fxanchor.sheet.study.options import Language

MARK = "（英文）"
# The words of a paper, of a docstring, of an exception and of code stay as they are.
_QUOTED = "code, pre, blockquote, figure.purpose, .doc, .raises, .page, [lang=en], .name"
_OWN_WORDS = """
const walker = document.createTreeWalker(document.querySelector('#shown'), NodeFilter.SHOW_TEXT);
const found = [];
while (walker.nextNode()) {
  if (!walker.currentNode.parentElement.closest(arguments[0])) found.push(walker.currentNode.textContent);
}
return found;
"""


@pytest.fixture(scope="module")
def chinese_page(shown: Shown, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("chinese") / "primer.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        file.write_text(reader_page(shown.study, Language.zh), encoding="utf-8")
    return file


@pytest.fixture
def reader(chromium: Browser, chinese_page: Path) -> Iterator[Browser]:
    chromium.open(chinese_page)
    yield chromium
    assert chromium.console() == []


def test_a_reason_says_that_it_is_english(reader: Browser) -> None:
    reader.one('.mark[aria-label^="GraphModule："]').click()
    assert reader.text("#shown .reason").startswith(MARK)
    reason = reader.one("#shown .reason [lang=en]")
    assert reason.text.startswith("in the code font")


def test_nothing_of_its_own_is_english_and_unmarked(reader: Browser) -> None:
    concepts = reader.run("return document.querySelectorAll('#shown li > button.concept').length")
    assert concepts > 20
    marked = 0
    for at in range(concepts):
        reader.run("document.querySelectorAll('#shown li > button.concept')[arguments[0]].click()", at)
        reader.run("document.querySelectorAll('#shown button.number').forEach(each => each.click())")
        sentences = [text for text in reader.run(_OWN_WORDS, _QUOTED) if re.search(r"(?:[A-Za-z]{2,} ){3}", text)]
        assert sentences == []
        marked += reader.text("#shown").count(MARK)
        reader.press("\ue00c")
    assert marked >= concepts


def test_a_page_in_english_marks_nothing(chromium: Browser, page: Path) -> None:
    chromium.open(page)
    chromium.one('.mark[aria-label^="GraphModule:"]').click()
    assert chromium.one("#shown .reason [lang=en]").text == chromium.text("#shown .reason")
    assert "English" not in chromium.text("#shown .reason")
