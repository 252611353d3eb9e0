"""Write a study sheet as a Jupyter notebook whose cells trace the model and run the experiments."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from fxanchor.labs.lab import Lab
from fxanchor.sheet.escape import code_span, markdown
from fxanchor.sheet.study.card import card_lines
from fxanchor.sheet.study.content import Study
from fxanchor.sheet.study.front import GENERATOR, front_matter
from fxanchor.sheet.study.markdown import overview_lines, page_text
from fxanchor.sheet.study.notes import read_kept, restore
from fxanchor.sheet.study.options import SheetRequest
from fxanchor.sheet.study.parts import parts
from fxanchor.sheet.study.words import say

Cell = dict[str, Any]

# Between the texts of cells while the reader's notes are put back into all of them at once.
_BETWEEN = "\n\x1e\n"
_OURS = "fx-"
_SETUP = """\
import subprocess
import sys

from fxanchor.labs.kernel import report_lines, run_experiment
from fxanchor.labs.sample import sample

ROOT = "."  # the folder that the sheet was made in


def fxanchor(*words: str) -> None:
    done = subprocess.run([sys.executable, "-m", "fxanchor", *words], cwd=ROOT, capture_output=True, text=True)
    print(done.stdout + done.stderr)"""


def study_notebook(study: Study, request: SheetRequest, previous: str = "") -> str:
    """Return the notebook as JSON (nbformat 4.5), without outputs.

    Args:
        study: What the sheet says.
        request: What it was made of.
        previous: The notebook as it was. Notes, ticks, and cells that the reader added or changed are kept, the
            cells at the end.
    """
    old = _cells(previous)
    cells = [*_sheet_cells(study, request)]
    written = [index for index, cell in enumerate(cells) if cell["cell_type"] == "markdown"]
    kept = read_kept(*(_source(cell) for cell in old if cell.get("cell_type") == "markdown"))
    texts = restore(_BETWEEN.join(cells[index]["source"] for index in written), kept, request.language)
    for index, text in zip(written, texts.split(_BETWEEN), strict=True):
        cells[index]["source"] = text.strip("\n")
    cells.extend(_readers_cells(old))
    for cell in cells:
        cell["source"] = cell["source"].splitlines(keepends=True)
    document = {
        "cells": cells,
        "metadata": {
            "fxanchor": {"generator": GENERATOR, "front": list(front_matter(study, request))},
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def is_notebook(text: str) -> bool:
    """Tell whether a text is a notebook that fxanchor wrote."""
    try:
        document = json.loads(text)
        return bool(document["metadata"]["fxanchor"]["generator"] == GENERATOR)
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def _sheet_cells(study: Study, request: SheetRequest) -> Iterator[Cell]:
    language = request.language
    front = len(list(front_matter(study, request)))
    overview = list(overview_lines(study, request, lambda _: ""))[front:]
    yield _text("overview", overview)
    yield _text("setup", [say("notebook setup", language)])
    yield _code("setup", _SETUP)
    for model in request.models:
        yield _text(f"trace {model}", [f"## {say('notebook trace', language, model=code_span(model))}"])
        yield _code(f"trace {model}", f"fxanchor({', '.join(_trace_words(model, request))})")
    yield _text("cards", [f"## {say('cards', language)}"])
    for number, card in enumerate(study.cards, 1):
        heading = f"### {number} · {markdown(card.concept.name)}"
        yield _text(card.identity, [heading, "", *card_lines(replace(card, lab=None), study, language)])
        if card.lab is not None:
            yield _code(f"lab {card.lab.lab.name}", _lab_code(card.lab.lab))
    for part in parts(study, language):
        yield _text(f"part {part.name}", [f"## {part.title}", "", *part.lines])


def _trace_words(model: str, request: SheetRequest) -> Iterator[str]:
    words = ["trace", model]
    for option, value in (("--args", request.args), ("--config", request.config), ("--input", request.inputs)):
        if value:
            words += [option, value]
    yield from (json.dumps(word, ensure_ascii=False) for word in words)


def _lab_code(lab: Lab) -> str:
    subject = "sample()" if lab.uses_model else "()"
    run = f'run_experiment(experiment, {subject}, LAB["verdict"])'
    return f'{lab.code.rstrip()}\n\n\nprint("\\n".join(report_lines(LAB["statement"], {run})))'


def _text(name: str, lines: Sequence[str]) -> Cell:
    return {"cell_type": "markdown", "id": _identity("text", name), "metadata": {}, "source": page_text(lines).strip()}


def _code(name: str, code: str) -> Cell:
    made = {"fxanchor": {"made": _digest(code)}}
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": _identity("code", name),
        "metadata": made,
        "outputs": [],
        "source": code,
    }


def _readers_cells(old: Sequence[Cell]) -> Iterator[Cell]:
    """Give the cells of an older notebook that the reader added, and the code of ours that the reader changed."""
    for cell in old:
        identity, source = str(cell.get("id", "")), _source(cell)
        made = cell.get("metadata", {}).get("fxanchor", {}).get("made", "")
        ours = identity.startswith(_OURS)
        changed = cell.get("cell_type") == "code" and made != _digest(source)
        if source.strip() and (not ours or changed):
            kept = {**cell, "source": source}
            kept["id"] = identity if not ours else f"kept-{_digest(source)}"
            kept["metadata"] = {key: value for key, value in cell.get("metadata", {}).items() if key != "fxanchor"}
            yield kept


def _cells(text: str) -> list[Cell]:
    return [cell for cell in json.loads(text)["cells"] if isinstance(cell, dict)] if text.strip() else []


def _source(cell: Cell) -> str:
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def _identity(kind: str, name: str) -> str:
    return f"{_OURS}{kind}-{_digest(name)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
