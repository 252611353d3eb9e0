"""The main job through the command line: map, trace, show, sheet, on the paper and the model that ship."""

import json
import re
from pathlib import Path

import pytest
from helpers.project import MODEL, PRIMER, ROOT, fxanchor
from markdown_it import MarkdownIt

from fxanchor.sheet.study.seal import sealed

PAPER = str(PRIMER.relative_to(ROOT))
NET = str(MODEL.relative_to(ROOT))


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {"FXANCHOR_CACHE": str(tmp_path_factory.mktemp("cache"))}


def said(*words: str, env: dict[str, str], code: int = 0) -> str:
    run = fxanchor(*words, env=env)
    assert run.returncode == code, run.stderr
    return run.stdout


def test_a_requested_name_is_told_in_both_senses(env: dict[str, str]) -> None:
    out = said("map", PAPER, "-k", "Transformer", env=env)
    assert "refused" in out
    assert "linked" in out
    assert "fx/interpreter.py" in out


@pytest.mark.parametrize(
    ("command", "last", "width"),
    [
        *((("map", PAPER), "break", width) for width in (20, 40, 60, 80, 120)),
        *((("lab", "list"), "verdict", width) for width in (20, 40, 60)),
        *((("trace", NET), "line:column", width) for width in (40, 80)),
    ],
)
def test_a_table_fits_the_terminal_with_its_last_column(
    env: dict[str, str], width: int, command: tuple[str, ...], last: str
) -> None:
    out = said(*command, env={**env, "COLUMNS": str(width)})
    assert last in "".join(out.split())
    # What stands above and below a table is broken between words alone.
    assert max(len(line) for line in out.splitlines() if len(line.split()) > 1) <= width


@pytest.mark.parametrize("columns", ["-5", "0", "abc", "1.5", "1", "\u00b2", "9" * 5000])
def test_a_width_that_is_none_is_no_fault(env: dict[str, str], columns: str) -> None:
    assert "torch.fx" in said("map", PAPER, env={**env, "COLUMNS": columns})


def test_a_map_is_the_same_every_time_and_holds_no_path_of_this_machine(env: dict[str, str]) -> None:
    once = said("map", str(PRIMER), "--json", env=env)
    assert once == said("map", str(PRIMER), "--json", env=env)
    assert str(ROOT) not in once


def test_markdown_output_is_a_table(env: dict[str, str], tmp_path: Path) -> None:
    target = tmp_path / "map.md"
    said("map", PAPER, "--format", "markdown", "-o", str(target), env=env)
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(target.read_text(encoding="utf-8"))
    assert sum(token.type == "tr_open" for token in tokens) > 20


def test_what_no_breakpoint_reaches_says_why(env: dict[str, str]) -> None:
    table = " ".join(said("map", PAPER, "--all", env=env).split())
    concepts = json.loads(said("map", PAPER, "--json", env=env))["concepts"]
    silent = [each for each in concepts if each["definition"] and not each["breakpoint"]]
    assert {each["symbol_kind"] for each in silent} >= {"module", "attribute"}
    for each in silent:
        assert f"{each['name']}: no breakpoint. {each['no_breakpoint']}" in table
    assert all(each["no_breakpoint"] is None for each in concepts if each not in silent)


def test_claims_name_the_definitions_that_must_make_them_true(env: dict[str, str]) -> None:
    claims = json.loads(said("map", PAPER, "--claims", "--json", env=env))["claims"]
    assert any(claim["grounds"] for claim in claims)


def test_a_paper_that_claims_nothing_is_told_to(env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text("def never_named():\n    return 1\n", encoding="utf-8")
    for form in ("table", "markdown"):
        out = said("map", PAPER, "--claims", "--format", form, "--package", "odd", "--source", str(tmp_path), env=env)
        assert out.strip() == "No sentence of this paper claims anything of what the package has."


def test_an_annotated_copy_has_a_highlight_for_every_link(env: dict[str, str], tmp_path: Path) -> None:
    from pypdf import PdfReader

    out = tmp_path / "annotated.pdf"
    found = json.loads(said("map", PAPER, "--annotate", str(out), "--json", env=env))
    places = {
        tuple((place["page"], *place["box"]) for place in mention["places"])
        for concept in found["concepts"]
        for mention in concept["mentions"]
        if mention["status"] in ("linked", "moved", "missing")
    }
    marks = [
        note
        for page in PdfReader(out).pages
        for note in page.get("/Annots", [])
        if note.get_object()["/Subtype"] == "/Highlight"
    ]
    assert len(marks) == sum(len({page for page, *_ in lines}) for lines in places)


def test_a_definition_is_shown_with_the_line_that_stops(env: dict[str, str]) -> None:
    shown = json.loads(said("show", "GraphModule.recompile", "--paper", PAPER, "--json", env=env))
    assert shown["definition"]["file"] == "torch/fx/graph_module.py"
    first, last = shown["definition"]["line"], shown["definition"]["end_line"]
    assert first < shown["breakpoint"]["line"] <= last
    assert shown["source"].startswith(("    def recompile", "def recompile"))
    assert shown["mentions"]


def test_lines_are_counted_as_python_counts_them(env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "__init__.py").write_bytes(
        b'def first():\r\n    """A\x0cb\xe2\x80\xa8c."""\r\n    return 1\r\n'
    )
    out = said("show", "first", "--package", "odd", "--source", str(tmp_path), env=env)
    numbered = [line for line in out.splitlines() if line[1:6].strip().isdecimal()]
    assert [int(line[1:6]) for line in numbered] == [1, 2, 3]
    assert numbered[2].startswith(">    3     return 1")


@pytest.fixture(scope="module")
def traced(env: dict[str, str]) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = json.loads(said("trace", NET, "--paper", PAPER, "--json", env=env))
    return found


def test_every_node_has_a_line_of_the_model(traced: dict[str, list[dict[str, object]]]) -> None:
    lines = MODEL.read_text(encoding="utf-8").splitlines()
    assert traced["nodes"]
    for node in traced["nodes"]:
        trigger = node["trigger"]
        assert isinstance(trigger, dict)
        assert trigger["file"] == NET
        if trigger["line"] == trigger["end_line"]:
            text = lines[trigger["line"] - 1][trigger["col"] : trigger["end_col"]]
            assert text == trigger["expression"]


def test_every_breakpoint_is_proven_or_says_why_not(traced: dict[str, list[dict[str, object]]]) -> None:
    assert {"entry", "proxy creation", "node creation"} <= {anchor["concept"] for anchor in traced["anchors"]}
    for anchor in traced["anchors"]:
        stop = anchor["breakpoint"]
        assert isinstance(stop, dict)
        assert (stop["proof"] == "hit") == (stop["hits"] > 0)
        assert stop["stops"] >= stop["hits"]
        assert stop["proof"] == "hit" or anchor["reason"]


def test_a_sheet_is_markdown_that_renders_and_the_same_every_time(env: dict[str, str], tmp_path: Path) -> None:
    sheet = tmp_path / "study.md"
    said("sheet", PAPER, NET, "-o", str(sheet), env=env)
    text = sheet.read_text(encoding="utf-8")
    noted = text.replace("<!-- /notes -->", "mine\n<!-- /notes -->", 1).replace("- [ ]", "- [x]", 1)
    sheet.write_text(noted, encoding="utf-8")
    said("sheet", PAPER, NET, "-o", str(sheet), env=env)
    assert sheet.read_text(encoding="utf-8") == noted
    tokens = MarkdownIt("gfm-like", {"linkify": False, "html": True}).parse(text.partition("\n---\n")[2])
    assert sum(token.type == "fence" for token in tokens) > 10
    # A fence or a details element that is left open would swallow the headings behind it.
    headings = [tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"]
    assert len([line for line in text.splitlines() if line.startswith("### ")]) == len(
        [heading for heading in headings if "·" in heading]
    )
    assert text.count("<details ") == text.count("</details>")


def test_a_sheet_in_chinese_has_no_english_heading_of_its_own(env: dict[str, str]) -> None:
    out = said("sheet", PAPER, "--lang", "zh", "--level", "intro", "-o", "-", env=env)
    headings = [line for line in out.splitlines() if line.startswith("## ")]
    assert headings
    assert not [heading for heading in headings if heading[3:].isascii()]


def test_a_sheet_that_has_drifted_is_told_and_made_again_with_its_notes(env: dict[str, str], tmp_path: Path) -> None:
    sheet = tmp_path / "study.md"
    said("sheet", PAPER, "--level", "intro", "--no-labs", "-o", str(sheet), env=env)
    fresh = sheet.read_text(encoding="utf-8")
    cited = next(line for line in fresh.splitlines() if ".py:" in line and "](" in line)
    number = int(cited.partition(".py:")[2].partition("-")[0])
    # As another version of the package had it written.
    drifted = sealed(re.sub(r"\ntext_sha256: \w+", "", fresh).replace(f".py:{number}-", f".py:{number + 1}-"))
    sheet.write_text(drifted.replace("<!-- /notes -->", "mine\n<!-- /notes -->", 1), encoding="utf-8")
    said("check", str(sheet), env=env, code=1)
    said("check", str(sheet), "--update", env=env)
    assert sheet.read_text(encoding="utf-8") == fresh.replace("<!-- /notes -->", "mine\n<!-- /notes -->", 1)
    said("check", str(sheet), env=env)


def test_only_sheets_are_made_again(env: dict[str, str], tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text("`Graph.create_node` makes a node.\n", encoding="utf-8")
    said("check", str(notes), "--update", env=env, code=3)
    assert notes.read_text(encoding="utf-8") == "`Graph.create_node` makes a node.\n"
