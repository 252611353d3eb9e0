"""A study sheet teaches what its parts promise, in both languages, and renders everywhere."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.project import PRIMER, ROOT, fxanchor
from helpers.study_sheets import REQUEST, drawings, faults, mermaid_faults, primer_study, tokens

from fxanchor.errors import InputError, UsageError
from fxanchor.model.report import Blocker, RaisedAt, Recipe
from fxanchor.sheet.mapping import map_paper
from fxanchor.sheet.study import words
from fxanchor.sheet.study.content import ModelPart, Study, gather
from fxanchor.sheet.study.front import request_of
from fxanchor.sheet.study.make import study_of
from fxanchor.sheet.study.markdown import study_markdown
from fxanchor.sheet.study.options import Language, Level
from fxanchor.sheet.study.seal import sealed


@pytest.fixture(autouse=True)
def at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.fixture(params=list(Language))
def sheet(request: pytest.FixtureRequest) -> str:
    return study_markdown(primer_study(), replace(REQUEST, language=request.param))


def test_it_renders(sheet: str) -> None:
    assert list(faults(sheet)) == []
    assert list(mermaid_faults(sheet)) == []
    assert [drawing.split("\n")[0] for drawing in drawings(sheet)] == ["sequenceDiagram", "flowchart TD"]


def test_the_table_is_one_screen(sheet: str) -> None:
    read = tokens(sheet)
    end = next(number for number, token in enumerate(read) if token.type == "table_close")
    assert 5 <= sum(token.type == "tr_open" for token in read[:end]) <= 21


def test_every_card_has_code_a_question_boxes_and_a_place_for_notes(sheet: str) -> None:
    cards = re.split(r"^### \d+ · ", sheet.partition("## The path")[0].partition("## 一个值")[0], flags=re.M)[1:]
    assert len(cards) == len(primer_study().cards)
    for card in cards:
        assert card.count("```python") == 1
        assert card.count("<summary>Answer</summary>") + card.count("<summary>答案</summary>") == 1
        assert card.count("- [ ]") == card.count("<!-- box ") == 2
        assert card.count("<!-- notes ") == card.count("<!-- /notes -->") == 1


def test_it_holds_nothing_of_the_machine_or_the_day(sheet: str) -> None:
    assert str(ROOT) not in sheet
    assert "site-packages" not in sheet


def test_the_same_input_gives_the_same_bytes() -> None:
    done = fxanchor("sheet", REQUEST.paper, *REQUEST.models, "--claims", env={"PYTHONHASHSEED": "77"})
    assert done.stdout == sealed(study_markdown(primer_study(), REQUEST))


def test_what_is_printed_was_seen() -> None:
    study = primer_study()
    text = study_markdown(study, REQUEST)
    for anchor in study.models[0].anchors:
        if anchor.proof.kind != "hit":
            assert f"`b {anchor.proof.wanted.stop.file}:{anchor.proof.wanted.stop.line}` {anchor.name}:" not in text
    ran = [card.lab for card in study.cards if card.lab is not None]
    assert len(ran) >= 5
    for lab in ran:
        assert f"fxanchor lab run {lab.lab.name}`" in text
        assert all(seen.seen.split()[0] in text for seen in lab.observations if seen.seen)


def test_levels_teach_more_and_more() -> None:
    mapped = map_paper(str(PRIMER))
    intro, engineer, deep = (gather(mapped, (), level=level) for level in Level)
    assert len(intro.cards) <= 7 < len(engineer.cards) <= 20 < len(deep.cards)
    assert [card.identity for card in deep.cards][: len(intro.cards)] == [card.identity for card in intro.cards]


def test_a_sheet_without_a_model_says_what_was_not_run() -> None:
    request = replace(REQUEST, models=(), labs=False, only=("Proxy", "Graph"))
    text = study_markdown(study_of(request), request)
    assert "not run: no model was given" in text
    assert text.count("\n### ") == 2
    assert list(faults(text)) == []


def test_a_misspelt_concept_is_answered_with_near_ones() -> None:
    with pytest.raises(UsageError, match=r"'GraphModul'.*GraphModule"):
        study_of(replace(REQUEST, only=("Proxy", "GraphModul")))


def test_models_are_not_run_on_another_source_tree() -> None:
    with pytest.raises(UsageError, match="--source"):
        study_of(replace(REQUEST, source_tree=Path()))


def test_a_sheet_says_what_it_was_made_of() -> None:
    asked = replace(
        REQUEST,
        level=Level.deep,
        only=("Proxy", 'a "quoted": name'),
        language=Language.zh,
        args="width=8",
        labs=False,
        password="secret",
        network=True,
    )
    text = study_markdown(primer_study(), asked)
    assert request_of(text) == replace(asked, packages=("torch.fx",), password=None, network=False)
    assert "secret" not in text


def test_paths_in_it_are_relative() -> None:
    asked = replace(REQUEST, paper=str(ROOT / REQUEST.paper), models=(f"{ROOT / REQUEST.models[0]}:TinyNet",))
    again = request_of(study_markdown(primer_study(), asked))
    assert (again.paper, again.models) == (REQUEST.paper, (f"{REQUEST.models[0]}:TinyNet",))


@pytest.mark.parametrize("text", ["", "# My notes\n", "---\ngenerator: fxanchor\n---\n", "---\npaper: 3\n---\n"])
def test_a_file_that_is_no_sheet_cannot_be_made_again(text: str) -> None:
    with pytest.raises(InputError, match="fxanchor sheet"):
        request_of(text)


def test_every_word_is_there_in_both_languages() -> None:
    for key in words.all_keys():
        english, chinese = words.say(key, Language.en), words.say(key, Language.zh)
        assert english and chinese
        assert sorted(re.findall(r"\{\w+\}", english)) == sorted(re.findall(r"\{\w+\}", chinese))
        assert re.search(r"[\u3000-\u9fff\uff00-\uffef]", chinese)


def test_every_word_is_used() -> None:
    files = [file for file in (ROOT / "fxanchor/sheet/study").glob("*.py") if file.name != "words.py"]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    # What a breakpoint, an experiment or a link came to is a key by itself.
    named = {"not reached", "not executable", "holds", "does not hold", "changed since", "not applicable"}
    assert [key for key in words.all_keys() if not re.search(rf"[\"']{key}[\"']", text) and key not in named] == []


def own_words(language: Language) -> str:
    """Return a sheet without the paper's words, code, and what stands in “quotation marks”."""
    text = study_markdown(primer_study(), replace(REQUEST, language=language)).partition("\n---\n")[2]
    own = re.sub(r"^(`{3,})[^\n]*\n.*?^\1$|^#? ?>[^\n]*$|^# [^\n]*$|<!--.*?-->", "", text, flags=re.M | re.S)
    return re.sub(r"“[^”]*”|(`+).+?\1|\]\([^)]*\)|<[^>]*>", "", own, flags=re.S)


def test_a_chinese_sheet_marks_what_comes_in_english() -> None:
    sentence = re.compile(r"(?:[A-Za-z']+ ){3,}[A-Za-z']+")
    chinese = own_words(Language.zh)
    assert sentence.findall(re.sub(r"（英文[）：][^\n]*", "", chinese)) == []
    # Why names are linked or refused, and why a line was not reached, is told and not left out.
    for reason in ("no name of torch.fx", "in the code font"):
        assert reason in own_words(Language.en)
        assert f"（英文）{reason}" in chinese
    assert chinese.count("（英文）") > 20
    assert len(sentence.findall(own_words(Language.en))) > 20


def test_front_matter_is_json_in_yaml() -> None:
    front = study_markdown(primer_study(), REQUEST).partition("\n---\n")[0].removeprefix("---\n")
    for line in front.splitlines():
        key, _, value = line.partition(": ")
        assert re.fullmatch(r"\w+", key)
        assert re.fullmatch(r"[\w.]+", value) or json.loads(value) is not None


def with_a_second_model() -> Study:
    """Return the study with a model beside the first that nothing could capture, and whose names are hostile."""
    study = primer_study()
    part = study.models[0]
    raised = RaisedAt("torch.fx.proxy.TracerBase.to_bool", "torch/fx/proxy.py", 494)
    recipe = Recipe("Write it | so", 'x = torch.where(a, b, c)\n\ny = "```"', verified=True, nodes=3)
    blockers = (
        Blocker("flow", "a|b.py", 3, 4, 9, "x | y > `z`", "it | broke", raised, "Asks `x` for it.", None, (recipe,)),
        Blocker("none", "a|b.py", 5, 4, 9, "</details>", "", None, "Is never None.", silent=True),
    )
    capture = replace(part.trace.capture, file="a|b.py", target="Net", ok=False, code="", nodes=(), blockers=blockers)
    second = ModelPart(replace(part.trace, capture=capture, states=()), ())
    return replace(study, models=(part, second))


@pytest.mark.parametrize("language", Language)
def test_several_models_stand_side_by_side(language: Language) -> None:
    text = study_markdown(with_a_second_model(), replace(REQUEST, language=language))
    assert list(faults(text)) == []
    assert list(mermaid_faults(text)) == []
    cells = [token.content for token in tokens(text) if token.type == "inline"]
    assert sum("a|b.py:Net" in cell for cell in cells) >= 2
    assert "x = torch.where(a, b, c)" in text
    assert "Asks `x` for it." in text
    assert ("（英文）Asks" in text and "（英文：Write it | so）" in text.replace("\\|", "|")) is (
        language is Language.zh
    )


def test_a_model_that_was_not_captured_is_said_to_be_so() -> None:
    text = study_markdown(with_a_second_model(), REQUEST)
    assert "was not captured" in text
    assert "the graph is wrong" in text
    assert "`it | broke`, in `torch.fx.proxy.TracerBase.to_bool`" in text


def test_a_paper_that_names_nothing_of_the_package_has_a_sheet() -> None:
    text = study_markdown(replace(primer_study(), cards=(), models=(), claims=()), replace(REQUEST, models=()))
    assert "names nothing that the package has" in text
    assert list(faults(text)) == []
