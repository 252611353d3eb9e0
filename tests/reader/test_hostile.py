"""Nothing that a paper, a package or a model says is taken for markup, and nothing but our script runs."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.browser import Browser
from helpers.reader_pages import MARKUP


@pytest.fixture
def reader(chromium: Browser, hostile_page: Path) -> Iterator[Browser]:
    chromium.open(hostile_page)
    yield chromium
    assert chromium.console() == []


def untouched(reader: Browser) -> bool:
    return bool(reader.run("return window.hacked === undefined && document.querySelectorAll('img').length === 1"))


def test_markup_everywhere_stays_text(reader: Browser) -> None:
    assert reader.text("h1") == MARKUP
    assert untouched(reader)
    reader.run("document.querySelector('.mark.linked').click()")
    details = reader.text("#shown")
    assert details.count(MARKUP) > 5
    assert f'return "{MARKUP}"' in reader.text("#shown .code")
    assert untouched(reader)
    for opener in reader.all(".gutter button"):
        opener.click()
    assert MARKUP in reader.text(".note")
    assert untouched(reader)


def test_a_link_leads_to_the_web_or_nowhere(reader: Browser) -> None:
    reader.run("document.querySelector('.mark.linked').click()")
    assert reader.text("#shown .place").startswith("evil/__init__.py")
    assert reader.count("#shown a") == 0


def test_markup_on_paper_stays_text(reader: Browser) -> None:
    reader.run("window.dispatchEvent(new Event('beforeprint'))")
    assert MARKUP in reader.text("#print")
    assert untouched(reader)


def test_what_gets_in_all_the_same_does_not_run(chromium: Browser, hostile_page: Path) -> None:
    chromium.open(hostile_page)
    chromium.run(
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.hacked = 1\">');"
        "const s = document.createElement('script'); s.textContent = 'window.hacked = 1'; document.body.append(s);"
        "const f = document.createElement('iframe'); f.src = 'https://example.org/'; document.body.append(f);"
    )
    chromium.wait(lambda: len(chromium.console()) > 0)
    assert chromium.run("return window.hacked") is None


def test_the_file_has_two_scripts_and_one_of_them_is_data(hostile_page: Path) -> None:
    text = hostile_page.read_text(encoding="utf-8")
    assert re.findall(r"<script[^>]*>", text) == ['<script type="application/json" id="data">', "<script>"]
    assert "onerror='" not in re.sub(r"&#x27;", "", text.split("<style>")[0])
