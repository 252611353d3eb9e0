"""What a reader can do with the page: click, scroll, walk by keys, filter, search, copy."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.browser import Browser
from helpers.reader_pages import Shown
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

CURRENT = ".mark[aria-current]"


@pytest.fixture
def reader(chromium: Browser, page: Path) -> Iterator[Browser]:
    chromium.open(page)
    yield chromium
    assert chromium.console() == []


def mark_of(concept: str) -> str:
    """Return the selector of the marks of a concept whose surface is its name."""
    return f'.mark[aria-label^="{concept}:"]'


def choose(reader: Browser, concept: str) -> None:
    reader.one(mark_of(concept)).click()


def label(element: WebElement) -> str:
    return element.get_attribute("aria-label") or ""


def heading(reader: Browser) -> str:
    return reader.text("#shown h2")


def test_a_click_on_a_highlight_shows_its_definition(reader: Browser, shown: Shown) -> None:
    choose(reader, "GraphModule")
    concept = next(one for one in shown.study.mapped.found.concepts if one.name == "GraphModule")
    definition = concept.definition
    assert definition is not None
    assert heading(reader) == "GraphModule"
    assert reader.text("#shown .public") == "torch.fx.GraphModule"
    source = reader.text("#shown .code")
    assert "class GraphModule(torch.nn.Module):" in source
    assert reader.text("#shown .place code") == f"{definition.file}:{definition.line}-{definition.end_line}"
    assert reader.one("#shown .place a").get_attribute("href") == shown.study.mapped.index.permalink(definition)
    assert "GraphModule" in reader.text("#shown blockquote.current mark")


def test_the_dots_stand_on_the_lines_that_the_run_stopped_at(reader: Browser, shown: Shown) -> None:
    choose(reader, "TracerBase.create_proxy")
    hit = {
        anchor.proof.wanted.stop.line
        for anchor in shown.study.models[0].anchors
        if anchor.proof.kind == "hit" and anchor.proof.wanted.stop.symbol.endswith("TracerBase.create_proxy")
    }
    script = "return [...document.querySelectorAll('.row.stop')].map(row => row.querySelector('.number').textContent)"
    assert {int(number) for number in reader.run(script)} == hit
    assert reader.count("#shown .dot.hit") == len(hit)


def test_what_was_seen_and_what_set_it_off_are_told(reader: Browser, shown: Shown) -> None:
    choose(reader, "Graph.create_node")
    anchor = next(
        one
        for one in shown.study.models[0].anchors
        if one.proof.kind == "hit" and one.proof.wanted.stop.symbol.endswith("Graph.create_node") and one.proof.watch
    )
    details = reader.text("#shown")
    assert f"b {anchor.proof.wanted.stop.file}:{anchor.proof.wanted.stop.line}" in details
    assert f"{anchor.proof.hits} calls" in details
    assert anchor.proof.watch[0].value in reader.text("#shown .seen")
    trigger = anchor.proof.first_trigger
    assert trigger is not None
    assert trigger.expression in reader.text("#shown .set-off")
    assert f"{trigger.file}:{trigger.line}" in reader.text("#shown .set-off")


def test_the_model_shows_its_triggers_and_lights_those_of_the_concept(reader: Browser) -> None:
    choose(reader, "Proxy.__torch_function__")
    lit = "return [...document.querySelectorAll('#shown .code .lit')].map(e => e.textContent).join('')"
    assert reader.run(lit) == "torch.relu(self.norm(self.conv(x)))"
    assert reader.count("#shown .code .trigger") > len("torch.relu")


def test_a_line_of_the_model_tells_what_it_set_off(reader: Browser) -> None:
    choose(reader, "Proxy.__torch_function__")
    opener = next(one for one in reader.all(".gutter button") if one.text == "20")
    opener.click()
    assert opener.get_attribute("aria-expanded") == "true"
    assert "blocks_0_conv" in reader.text(".note")
    assert "leaf module called" in reader.text(".note")
    opener.click()
    assert reader.count(".note") == 0


def test_j_and_k_walk_through_the_mentions(reader: Browser) -> None:
    seen = []
    for key in ("j", "j", Keys.ARROW_DOWN, Keys.ARROW_RIGHT):
        reader.press(key)
        seen.append(reader.run("return location.hash"))
        assert reader.driver.switch_to.active_element == reader.one(CURRENT)
    assert len(set(seen)) == 4
    for key, before in zip(("k", Keys.ARROW_UP, Keys.ARROW_LEFT), reversed(seen[:-1]), strict=True):
        reader.press(key)
        assert reader.run("return location.hash") == before


def test_walking_brings_the_mention_into_view(reader: Browser) -> None:
    reader.press("j" * 40)
    box = reader.one(CURRENT).rect
    frame = reader.one("#paper").rect
    assert frame["y"] <= box["y"] <= frame["y"] + frame["height"] - box["height"]


def test_the_walk_wraps_around(reader: Browser) -> None:
    reader.press("j")
    first = reader.one(CURRENT)
    reader.press("k")
    assert reader.one(CURRENT) != first
    reader.press("j")
    assert reader.one(CURRENT) == first


def test_enter_on_a_mention_and_escape(reader: Browser) -> None:
    reader.run("document.querySelector(arguments[0]).focus()", mark_of("Proxy"))
    reader.press(Keys.ENTER)
    assert heading(reader) == "Proxy"
    reader.press(Keys.ESCAPE)
    assert heading(reader) == "All concepts"
    assert reader.count(CURRENT) == 0


def test_slash_opens_the_search_and_escape_clears_it(reader: Browser) -> None:
    everything = reader.count(".mark")
    reader.press("/")
    assert reader.driver.switch_to.active_element == reader.one("#query")
    reader.press("create_proxy")
    assert 0 < reader.count(".mark") < everything
    assert "TracerBase.create_proxy" in [name.text for name in reader.all(".concept .name")]
    reader.press(Keys.ESCAPE)
    assert reader.count(".mark") == everything


def test_a_search_finds_words_of_the_passage(reader: Browser) -> None:
    reader.press("/", "wraps the graph together")
    assert "GraphModule" in [name.text for name in reader.all(".concept .name")]


def test_a_search_without_result_offers_everything(reader: Browser) -> None:
    reader.press("/", "no such thing anywhere")
    assert reader.count(".mark") == 0
    assert "Nothing matches." in reader.text("#shown")
    reader.one("#shown .overview .quiet").click()
    assert reader.count(".mark") == reader.run("return document.querySelectorAll('.mark').length")


def test_letters_typed_into_the_search_are_no_commands(reader: Browser) -> None:
    reader.press("/", "jk?d")
    assert reader.one("#query").get_attribute("value") == "jk?d"
    assert reader.count("dialog") == 0


def test_statuses_filter(reader: Browser) -> None:
    assert reader.count(".mark.linked") > 0
    assert reader.count(".mark.refused") == 0
    reader.one("#statuses .linked").click()
    assert reader.count(".mark.linked") == 0
    reader.one("#statuses .refused").click()
    assert reader.count(".mark.refused") > 0
    shown = reader.count(".mark")
    assert reader.text("#count").startswith(f"{shown} of ")
    assert reader.text("#said") == reader.text("#count")


def test_one_concept_alone(reader: Browser) -> None:
    reader.run(
        "const s = document.querySelector('#only'); s.value = [...s.options].find(o => o.text === 'Proxy').value;"
        " s.dispatchEvent(new Event('change'))"
    )
    assert heading(reader) == "Proxy"
    assert {label(one).split(":")[0] for one in reader.all(".mark")} <= {"Proxy", "Proxys (Proxy)"}


def test_a_refused_name_says_why(reader: Browser, shown: Shown) -> None:
    reader.one("#statuses .refused").click()
    mark = reader.all(".mark.refused")[0]
    reader.run("arguments[0].click()", mark)
    reasons = {mention.reason for one in shown.study.mapped.found.concepts for mention in one.mentions}
    assert reader.text("#shown .reason") in reasons
    assert reader.count("#shown .code") == 0


def test_scrolling_is_followed(reader: Browser) -> None:
    assert heading(reader) == "All concepts"
    reader.run("document.querySelector('#paper').scrollTop = 1400")
    reader.wait(lambda: reader.count(CURRENT) == 1)
    first = label(reader.one(CURRENT))
    assert heading(reader) in first
    reader.run("document.querySelector('#paper').scrollTop = 2600")
    reader.wait(lambda: reader.one(CURRENT).get_attribute("aria-label") != first)


def test_what_was_clicked_stays_while_one_scrolls_a_little(reader: Browser) -> None:
    choose(reader, "GraphModule")
    reader.run("document.querySelector('#paper').scrollTop += 60")
    reader.run("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert heading(reader) == "GraphModule"


def test_the_mentions_of_one_concept_are_walked_through(reader: Browser) -> None:
    choose(reader, "GraphModule")
    assert reader.text(".walker .muted").startswith("1 of ")
    reader.one(".walker [aria-label='Next mention of it']").click()
    assert reader.text(".walker .muted").startswith("2 of ")
    assert heading(reader) == "GraphModule"


@pytest.mark.parametrize("clipboard", ["allowed", "missing"])
def test_a_breakpoint_is_copied(reader: Browser, clipboard: str) -> None:
    choose(reader, "Graph.create_node")
    if clipboard == "missing":
        reader.run("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    reader.run("window.copied = []; document.addEventListener('copy', () => copied.push(String(getSelection())))")
    permissions = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    reader.driver.execute_cdp_cmd("Browser.grantPermissions", permissions)
    command = reader.text("#shown .command code")
    button = reader.one("#shown .copy")
    assert button.get_attribute("aria-label") == f"Copy {command}"
    button.click()
    reader.wait(lambda: reader.text("#shown .copy") == "Copied")
    if clipboard == "allowed":
        assert reader.run("return navigator.clipboard.readText()") == command
    else:
        assert reader.run("return copied.length") == 1


def test_the_help_opens_and_closes(reader: Browser) -> None:
    reader.press("?")
    assert "search" in reader.text("#help-body")
    assert "looks like a name and is not one" in reader.text("#help-body")
    reader.press(Keys.ESCAPE)
    assert reader.count("dialog") == 0


def test_focus_goes_to_the_details_and_back(reader: Browser) -> None:
    choose(reader, "GraphModule")
    reader.press("d")
    assert reader.driver.switch_to.active_element.text == "GraphModule"
    reader.press("p")
    assert reader.driver.switch_to.active_element == reader.one(CURRENT)


def test_an_address_opens_its_mention(reader: Browser, page: Path) -> None:
    choose(reader, "GraphModule")
    address = reader.driver.current_url
    label = reader.one(CURRENT).get_attribute("aria-label")
    reader.driver.get("about:blank")
    reader.driver.get(address)
    assert reader.one(CURRENT).get_attribute("aria-label") == label


def test_pages_grow_around_the_place_one_reads(reader: Browser) -> None:
    before = reader.run("return document.querySelector('.sheet').clientWidth")
    reader.press("+")
    assert reader.run("return document.querySelector('.sheet').clientWidth") > before * 1.3
    reader.press("-")
    assert reader.run("return document.querySelector('.sheet').clientWidth") == before
    assert reader.one("#smaller").get_attribute("disabled")


def test_nothing_is_fetched(reader: Browser) -> None:
    names = reader.run("return performance.getEntriesByType('resource').map(entry => entry.name)")
    assert [name for name in names if not name.startswith("data:")] == []
