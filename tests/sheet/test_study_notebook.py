"""The notebook is one that Jupyter takes, its cells run, and what the reader adds to it stays."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers.project import ROOT
from helpers.study_sheets import REQUEST, primer_study

from fxanchor.sheet.study.content import Study
from fxanchor.sheet.study.notebook import is_notebook, study_notebook

GRAPH = "torch.fx.graph.Graph"
Cell = dict[str, Any]


@pytest.fixture(autouse=True)
def at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def made(previous: str = "", study: Study | None = None) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(study_notebook(study or primer_study(), REQUEST, previous))
    return document


def source(cell: Cell) -> str:
    return "".join(cell["source"])


def test_jupyter_takes_it() -> None:
    nbformat = pytest.importorskip("nbformat")
    text = study_notebook(primer_study(), REQUEST)
    nbformat.validate(nbformat.reads(text, as_version=4))
    assert is_notebook(text)
    assert not is_notebook('{"metadata": {}}')
    assert not is_notebook("# Mine")
    assert study_notebook(primer_study(), REQUEST, text) == text


def test_each_experiment_of_the_cards_is_a_cell() -> None:
    code = [source(cell) for cell in made()["cells"] if cell["cell_type"] == "code"]
    ran = [card.lab.lab for card in primer_study().cards if card.lab is not None]
    for lab in ran:
        assert sum(lab.code.rstrip() in text for text in code) == 1
    assert any(f'fxanchor("trace", "{REQUEST.models[0]}")' in text for text in code)


def test_notes_and_the_readers_own_cells_stay() -> None:
    old = made()
    card = next(cell for cell in old["cells"] if f"<!-- notes {GRAPH} -->" in source(cell))
    text = (
        source(card)
        .replace(f"<!-- notes {GRAPH} -->\n", f"<!-- notes {GRAPH} -->\nmine\n")
        .replace("- [ ]", "- [x]", 1)
    )
    card["source"] = text.splitlines(keepends=True)
    setup = next(cell for cell in old["cells"] if cell["cell_type"] == "code")
    setup["source"] = ["print('changed')"]
    added = {
        "cell_type": "code",
        "id": "mine",
        "metadata": {},
        "source": ["1 + 1"],
        "outputs": [],
        "execution_count": 3,
    }
    old["cells"].insert(3, added)
    again = made(json.dumps(old))
    assert [cell for cell in again["cells"] if "mine\n" in source(cell) and "- [x]" in source(cell)]
    assert [source(cell) for cell in again["cells"][-2:]] == ["print('changed')", "1 + 1"]
    assert made(json.dumps(again)) == again


def test_a_note_whose_card_is_gone_stays() -> None:
    old = json.dumps(made()).replace(f"<!-- notes {GRAPH} -->\\n", f"<!-- notes {GRAPH} -->\\nmine\\n")
    study = primer_study()
    fewer = replace(study, cards=tuple(card for card in study.cards if card.identity != GRAPH))
    assert "mine" in source(made(old, fewer)["cells"][-1])


def test_its_cells_run(tmp_path: Path) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    study = primer_study()
    ran = [card for card in study.cards if card.lab is not None]
    notebook = nbformat.reads(study_notebook(replace(study, cards=tuple(ran)), REQUEST), as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(ROOT)}}).execute()
    outputs = [
        "".join(part.get("text", "") for part in cell.outputs) for cell in notebook.cells if cell.cell_type == "code"
    ]
    assert REQUEST.models[0] in outputs[1]
    for card, output in zip(ran, outputs[2:], strict=True):
        assert card.lab is not None
        assert f"Verdict: {card.lab.lab.verdict}" in output or card.lab.lab.verdict in output
