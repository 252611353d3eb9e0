"""The drawings of a sheet are mermaid, whatever a model's names hold; a browser with mermaid draws them."""

import os
from pathlib import Path

import pytest
from helpers.browser import CHROMIUM, DRIVER, browser
from helpers.project import ROOT
from helpers.study_sheets import REQUEST, drawings, mermaid_faults, primer_study

from fxanchor.model.report import NodeRow
from fxanchor.sheet.study.markdown import study_markdown
from fxanchor.sheet.study.mermaid import folded, model_graph

# Where `npm install mermaid` puts it; the package indexes of Python have none that is not a whole web framework.
MERMAID = Path(os.environ.get("MERMAID_JS", ROOT / "node_modules" / "mermaid" / "dist" / "mermaid.min.js"))
PAGE = """<!doctype html><meta charset="utf-8"><body>{drawings}<script src="{script}"></script><script>
mermaid.initialize({{startOnLoad: false}});
window.drawn = [];
(async () => {{
  for (const one of document.querySelectorAll("pre")) {{
    try {{ await mermaid.parse(one.textContent); window.drawn.push("ok"); }}
    catch (error) {{ window.drawn.push(String(error)); }}
  }}
  window.done = true;
}})();</script>"""


def node(name: str, target: str = "add", inputs: tuple[str, ...] = (), module: str = "") -> NodeRow:
    return NodeRow(name, "call_function", target, "operator on a proxy", None, module, inputs=inputs)


@pytest.fixture(autouse=True)
def at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def hostile() -> str:
    names = ['a"]', "b; end", "c#quot;", "<script>", "d --> e", "f|g|", "{h}", "`i`", "&amp;", "%% j", "\n```\nk"]
    rows = [node(f"n{number}", text, (f"n{number - 1}",)) for number, text in enumerate(names)]
    return "\n".join(model_graph(rows))


def large() -> str:
    rows = [node(f"n{i}", "add", (f"n{i - 1}",), f"block{i // 10}.part{i % 10}.deep") for i in range(400)]
    assert folded(rows)
    return "\n".join(model_graph(rows))


def test_names_cannot_break_a_drawing() -> None:
    assert list(mermaid_faults(hostile())) == []
    assert len(drawings(hostile())) == 1


def test_a_large_graph_is_folded_by_module() -> None:
    assert list(mermaid_faults(large())) == []
    assert large().count('["') == 40
    assert 'n0["block0 (10)"]' in large()


def test_mermaid_takes_them(tmp_path: Path) -> None:
    if not CHROMIUM or not DRIVER or not MERMAID.is_file():
        pytest.skip("needs chromium, chromedriver and mermaid (npm install mermaid)")
    shown = [*drawings(study_markdown(primer_study(), REQUEST)), *drawings(hostile()), *drawings(large())]
    escaped = [text.replace("&", "&amp;").replace("<", "&lt;") for text in shown]
    page = tmp_path / "page.html"
    blocks = "".join(f"<pre>{text}</pre>" for text in escaped)
    page.write_text(PAGE.format(drawings=blocks, script=MERMAID.as_uri()), encoding="utf-8")
    with browser(tmp_path / "profile") as chromium:
        chromium.open(page)
        chromium.wait(lambda: chromium.run("return window.done === true"))
        assert chromium.run("return window.drawn") == ["ok"] * len(shown)
