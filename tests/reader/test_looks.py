"""What the page looks like: on a phone, in the dark, on paper, and to those who cannot see it."""

import base64
import io
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from helpers.browser import Browser

# Of what is folded or reaches under something else no contrast can be told: it is unrolled first.
UNROLL = """
for (const folded of document.querySelectorAll('#details details')) folded.open = true;
for (const folded of document.querySelectorAll('.page-text:not([open]) p')) folded.remove();
for (const box of document.querySelectorAll('.code, .gutter'))
  Object.assign(box.style, {position: 'static', overflow: 'visible', maxHeight: 'none'});
for (const code of document.querySelectorAll('.code code')) {
  Object.assign(code.style, {whiteSpace: 'pre-wrap', overflowWrap: 'anywhere'});
  code.closest('ol').style.width = 'auto';
}
"""
AXE = """
const done = arguments[arguments.length - 1];
const ofContrast = rules => rules.filter(rule => rule.id === 'color-contrast').flatMap(rule => rule.nodes).length;
axe.run(arguments[0], {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']}).then(
  found => done([found.violations.map(one => `${one.id}: ${one.nodes.map(node => node.target).slice(0, 4)}`),
    ofContrast(found.passes), ofContrast(found.incomplete)]),
  error => done([[String(error)], 0, 0]));
"""
# One page and its marks say as much as all of them, and take less time.
FEWER = "document.querySelectorAll('.page:not(#page-1)').forEach(page => page.remove())"
# What reaches beyond the window, unless it stands in something that scrolls.
BEYOND = """
const scrolls = element => { for (let up = element.parentElement; up; up = up.parentElement)
  if (['auto', 'scroll'].includes(getComputedStyle(up).overflowX) && up.scrollWidth > up.clientWidth + 1
      && !['paper', 'details'].includes(up.id)) return true; return false; };
return [...document.body.querySelectorAll('*')].filter(e => e.checkVisibility() && !e.closest('.unseen, .skip'))
  .filter(e => { const box = e.getBoundingClientRect();
    return box.width && (box.right > innerWidth + 1 || box.left < -1) && !scrolls(e); })
  .map(e => e.tagName + '.' + e.className + '#' + e.id);
"""


@pytest.fixture
def reader(chromium: Browser, page: Path) -> Iterator[Browser]:
    chromium.open(page)
    yield chromium
    assert chromium.console() == []


def choose(reader: Browser, concept: str) -> None:
    reader.run(f"document.querySelector('.mark[aria-label^=\"{concept}:\"]').click()")


def violations(reader: Browser, part: str = "body") -> list[str]:
    reader.run((files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8"))
    reader.run(UNROLL)
    found, told, untold = reader.driver.execute_async_script(AXE, part)
    # An error inside axe leaves a rule undecided without a word.
    assert told > untold
    return list(found)


def background(reader: Browser) -> str:
    return str(reader.run("return getComputedStyle(document.body).backgroundColor"))


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_contrast_and_labels(reader: Browser, page: Path, width: int, scheme: str) -> None:
    reader.open(page, width=width, scheme=scheme)
    reader.run(FEWER)
    assert violations(reader) == []
    choose(reader, "Proxy.__torch_function__")
    reader.run("document.querySelector('.gutter button').click()")
    assert violations(reader, "#details") == []
    reader.run("document.querySelector('#filters-switch').click(); document.querySelector('#help').click()")
    assert violations(reader, "#help-box") == []


@pytest.mark.parametrize("width", [1440, 1024, 390, 320])
def test_nothing_reaches_beyond_the_window(reader: Browser, page: Path, width: int) -> None:
    reader.open(page, width=width, height=844)
    reader.run("document.querySelector('#filters-switch').click()")
    for concept in ("", "GraphModule", "Proxy.__torch_function__"):
        if concept:
            choose(reader, concept)
        assert reader.run("return document.documentElement.scrollWidth") <= width
        assert reader.run("return document.querySelector('#details').scrollWidth") <= width
        assert reader.run(BEYOND) == []


@pytest.mark.parametrize("width", [1440, 390])
def test_a_note_stands_below_its_line_and_is_seen_whole(reader: Browser, page: Path, width: int) -> None:
    reader.open(page, width=width, height=844)
    choose(reader, "Proxy.__torch_function__")
    opener = next(one for one in reader.all(".gutter button") if one.text == "20")
    reader.run("arguments[0].scrollIntoView({block: 'center'})", opener)
    line = opener.find_element("xpath", "ancestor::li//code")
    before = line.rect
    reader.run("arguments[0].click()", opener)
    note, box = reader.one(".note").rect, opener.find_element("xpath", "ancestor::*[@role='group']").rect
    assert line.rect == before
    assert note["y"] >= before["y"] + before["height"]
    assert box["x"] <= note["x"]
    assert note["x"] + note["width"] <= box["x"] + box["width"]


def test_a_phone_has_one_pane_over_the_other(reader: Browser, page: Path) -> None:
    reader.open(page, width=390, height=844)
    paper, details = reader.one("#paper").rect, reader.one("#details").rect
    assert paper["y"] + paper["height"] <= details["y"] + 1
    assert min(paper["height"], details["height"]) > 200
    before = details["height"]
    reader.one("#grip").click()
    assert reader.one("#details").rect["height"] > before


def test_a_phone_opens_its_filters(reader: Browser, page: Path) -> None:
    reader.open(page, width=390, height=844)
    assert not reader.one("#query").is_displayed()
    reader.one("#filters-switch").click()
    assert reader.one("#query").is_displayed()
    assert reader.one("#filters-switch").get_attribute("aria-expanded") == "true"


def test_the_colours_follow_the_system_until_they_are_chosen(reader: Browser, page: Path) -> None:
    light = background(reader)
    reader.media(scheme="dark")
    dark = background(reader)
    assert dark != light
    reader.one("#theme").click()
    assert background(reader) == light
    reader.one("#theme").click()
    reader.media(scheme="light")
    assert background(reader) == dark
    reader.open(page)
    assert background(reader) == dark
    reader.one("#theme").click()
    assert background(reader) == light


def test_pages_are_darkened_with_the_rest(reader: Browser) -> None:
    shade = "return getComputedStyle(document.querySelector('.sheet img')).filter"
    assert reader.run(shade) == "none"
    reader.media(scheme="dark")
    assert "invert" in reader.run(shade)


def test_marks_differ_by_more_than_colour(reader: Browser) -> None:
    script = """
    const shape = status => { const mark = document.querySelector('.mark.' + status); mark.hidden = false;
      const style = getComputedStyle(mark, '::before'); return style.borderBottomStyle + style.borderBottomWidth; };
    return arguments[0].map(shape);"""
    shapes = reader.run(script, ["linked", "moved", "missing", "outside", "refused"])
    assert len(set(shapes)) == 5


def test_focus_is_seen(reader: Browser) -> None:
    reader.press("\ue004")
    reader.press("\ue004")
    focused = "return [document.activeElement.tagName, getComputedStyle(document.activeElement).outlineStyle]"
    assert reader.run(focused)[1] == "solid"


def test_on_paper_the_concepts_follow_the_pages(reader: Browser) -> None:
    from pypdf import PdfReader

    reader.press("/", "wraps the graph together")
    reader.run(FEWER)
    printed = PdfReader(io.BytesIO(base64.b64decode(reader.driver.print_page())))
    text = " ".join(page.extract_text() for page in printed.pages)
    assert 1 < len(printed.pages) < 20
    assert "class GraphModule" in text
    assert "Search concepts" not in text
    reader.media(kind="print", scheme="dark")
    assert reader.run("return getComputedStyle(document.querySelector('.sheet img')).filter") == "none"
    assert not reader.one("#details").is_displayed()


def test_the_text_of_a_page_can_be_read(reader: Browser) -> None:
    summary = reader.one("#page-1 summary")
    assert summary.text == "Text of page 1"
    reader.run("arguments[0].click()", summary)
    assert "The values that flow through the model" in reader.one("#page-1 .page-text").text
    assert violations(reader, "#page-1 .page-text") == []


def test_without_scripts_the_paper_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text.count('<img src="data:image/webp;base64,') == 4
    assert "<noscript>" in text
