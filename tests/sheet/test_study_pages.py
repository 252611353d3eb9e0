"""A split sheet is tied by links that lead somewhere, keeps what the reader wrote, and changes whole or not at all."""

import posixpath
import shutil
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from helpers.project import ROOT, fxanchor
from helpers.study_sheets import REQUEST, faults, mermaid_faults, primer_study, tokens
from typer.testing import CliRunner

from fxanchor.cli.app import app
from fxanchor.errors import InputError, UsageError
from fxanchor.sheet.study.again import make_again, read_request
from fxanchor.sheet.study.folder import read_pages, write_pages
from fxanchor.sheet.study.make import split_sheet, study_of
from fxanchor.sheet.study.markdown import study_markdown
from fxanchor.sheet.study.notes import Kept, read_kept
from fxanchor.sheet.study.options import SheetFormat
from fxanchor.sheet.study.pages import INDEX, page_names, study_pages
from fxanchor.sheet.study.seal import sealed

GRAPH = "torch.fx.graph.Graph"


@pytest.fixture(autouse=True)
def at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def links(text: str) -> list[str]:
    """Return where the links of a page lead that do not leave the folder."""
    children = [child for token in tokens(text) for child in token.children or ()]
    found = [str(child.attrGet("href")) for child in children if child.type == "link_open"]
    return [link for link in found if not link.startswith("https://")]


def pages(kept: Kept | None = None) -> dict[str, str]:
    return study_pages(primer_study(), REQUEST, kept or Kept())


def test_every_page_renders() -> None:
    for path, text in pages().items():
        assert [*faults(text), *mermaid_faults(text)] == [], path


def test_every_link_leads_to_a_page_and_every_page_is_linked() -> None:
    made = pages()
    reached = {INDEX}
    for path, text in made.items():
        for link in links(text):
            target = unquote(posixpath.normpath(posixpath.join(posixpath.dirname(path), link)))
            reached.add(target)
    assert reached == set(made)


def test_each_card_has_a_page_with_its_title() -> None:
    made = pages()
    for card in primer_study().cards:
        assert sum(f"<!-- notes {card.identity} -->" in text for text in made.values()) == 1
    assert all(text.startswith("---\ngenerator: fxanchor\n") for text in made.values())


def test_names_that_differ_in_case_alone_have_files_of_their_own() -> None:
    identities = ["torch.fx.graph_module.GraphModule.graph", "torch.fx.graph_module.GraphModule.Graph"]
    names = page_names(identities, primer_study())
    assert len({name.casefold() for name in names.values()}) == 2
    assert names == page_names(reversed(identities), primer_study())


def test_notes_and_ticks_go_with_their_card_and_the_homeless_to_the_index() -> None:
    kept = Kept({GRAPH: "mine", "torch.gone": "lost"}, frozenset({(GRAPH, "stood"), ("torch.gone", "understood")}))
    made = pages(kept)
    assert "mine" in made["cards/Graph.md"]
    assert "lost" in made[INDEX]
    assert sum("mine" in text for text in made.values()) == 1
    assert sum("lost" in text for text in made.values()) == 1
    assert read_kept(*made.values()) == kept
    assert pages(read_kept(*made.values())) == made


def test_pages_replace_pages_and_leave_other_files_alone(tmp_path: Path) -> None:
    folder = tmp_path / "vault"
    write_pages(folder, {INDEX: "---\ngenerator: fxanchor\n---\n", "cards/a.md": "---\ngenerator: fxanchor\n---\n"}, {})
    (folder / "cards" / "mine.md").write_text("# Mine\n", encoding="utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    previous = read_pages(folder)
    assert sorted(previous) == ["cards/a.md", INDEX]
    write_pages(folder, {INDEX: "new"}, previous)
    left = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())
    assert left == ["cards/mine.md", INDEX, "picture.png"]
    assert (folder / INDEX).read_text(encoding="utf-8") == "new"


def test_a_failure_leaves_the_pages_as_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = {f"{name}.md": f"---\ngenerator: fxanchor\n---\n{name}\n" for name in "abc"}
    write_pages(tmp_path, old, {})
    move, calls = shutil.move, []

    def full(source: Path, target: Path) -> object:
        calls.append(target)
        if len(calls) == 5:
            raise OSError(28, "No space left on device")
        return move(source, target)

    monkeypatch.setattr(shutil, "move", full)
    with pytest.raises(InputError, match="No space left"):
        write_pages(tmp_path, dict.fromkeys(old, "new"), read_pages(tmp_path))
    assert read_pages(tmp_path) == old
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(old)


def test_a_file_of_the_users_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / INDEX).write_text("# Mine\n", encoding="utf-8")
    with pytest.raises(InputError, match="not a page of a study sheet"):
        write_pages(tmp_path, {INDEX: "new"}, read_pages(tmp_path))
    assert (tmp_path / INDEX).read_text(encoding="utf-8") == "# Mine\n"


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="--split"):
        split_sheet(replace(REQUEST, models=()), file)


def test_only_markdown_is_split(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--format"):
        split_sheet(replace(REQUEST, format=SheetFormat.anki), tmp_path)


def test_a_split_sheet_is_made_again_where_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    asked = ("sheet", REQUEST.paper, "--no-labs", "--only", "Graph,Proxy")
    assert fxanchor(*asked, "--split", str(folder)).returncode == 0
    card = folder / "cards" / "Graph.md"
    text = card.read_text(encoding="utf-8").replace("- [ ]", "- [x]", 1)
    text = text.replace(f"<!-- notes {GRAPH} -->\n", f"<!-- notes {GRAPH} -->\nmine\n")
    card.write_text(text, encoding="utf-8")
    before = read_pages(folder)
    done = fxanchor("sheet", "--again", str(folder / INDEX))
    assert done.returncode == 0, done.stderr
    assert read_pages(folder) == before


def test_a_sheet_is_made_again_in_its_file_and_nothing_else_changes(tmp_path: Path) -> None:
    request = replace(REQUEST, models=(), labs=False, only=("Graph",))
    file = tmp_path / INDEX
    text = study_markdown(study_of(request), request)
    file.write_text(sealed(text.replace("# Study sheet", "# Old words")), encoding="utf-8")
    (tmp_path / "mine.md").write_text("# Mine", encoding="utf-8")
    assert make_again(file) == file
    assert file.read_text(encoding="utf-8") == sealed(text)
    assert sorted(one.name for one in tmp_path.iterdir()) == [INDEX, "mine.md"]


def test_what_was_written_where_no_note_goes_is_not_lost(tmp_path: Path) -> None:
    asked = ("sheet", REQUEST.paper, "--no-labs", "--only", "Graph,Proxy")
    file, folder = tmp_path / "study.md", tmp_path / "study"
    for place in (("-o", str(file)), ("--split", str(folder))):
        assert fxanchor(*asked, *place).returncode == 0
    for page, place in ((file, ("-o", str(file))), (folder / "cards" / "Graph.md", ("--split", str(folder)))):
        text = page.read_text(encoding="utf-8").replace("\n### ", "\nMy own words.\n\n### ", 1)
        page.write_text(text, encoding="utf-8")
        for again in ((*asked, *place), ("sheet", "--again", place[1])):
            done = fxanchor(*again)
            assert done.returncode == 3
            assert "was changed outside its places for notes, and that would be lost" in done.stderr
            assert page.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("beside", [("paper.pdf",), ("--level", "deep"), ("-o", "x.md"), ("--no-labs",)])
def test_what_a_sheet_says_itself_is_not_said_beside_it(beside: tuple[str, ...], tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["sheet", "--again", str(tmp_path / "study.md"), *beside])
    assert isinstance(done.exception, UsageError)
    assert "--again" in str(done.exception)


def test_what_is_not_there_cannot_be_made_again(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Cannot read"):
        read_request(tmp_path / "none.md")
