"""The paper that ships with the project, read as a person reads it."""

import ast
from pathlib import Path

import pytest

from fxanchor.paper.document import Paper
from fxanchor.paper.read import read_paper

PRIMER = Path(__file__).parents[2] / "papers" / "primer"


@pytest.fixture(scope="module")
def primer(tmp_path_factory: pytest.TempPathFactory) -> Paper:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FXANCHOR_CACHE", str(tmp_path_factory.mktemp("cache")))
        return read_paper(PRIMER / "primer.pdf")


def texts(paper: Paper, role: str) -> list[str]:
    return [passage.text for passage in paper.passages if passage.role == role]


def test_structure(primer: Paper) -> None:
    assert primer.title == "A Primer on Capturing Programs with torch.fx"
    assert primer.has_code_font
    assert primer.warnings == ()
    names = [section.name for section in primer.sections]
    assert names[:2] == ["Abstract", "1"]
    assert {"2.1", "3.2", "References", "A", "A.1"} <= set(names)
    assert [section.level for section in primer.sections if section.number in ("2", "2.1", "A.1")] == [1, 2, 2]


def test_listings_are_the_files_they_come_from(primer: Paper) -> None:
    found = {passage.label: passage.text for passage in primer.passages if passage.role == "listing"}
    assert set(found) == {"Listing 1", "Listing 2"}
    for label, file in (("Listing 1", "capture.py"), ("Listing 2", "transform.py")):
        ast.parse(found[label])
        assert found[label].strip() == (PRIMER / file).read_text(encoding="utf-8").strip()


def test_nothing_of_the_page_is_in_the_text(primer: Paper) -> None:
    text = "\n".join(texts(primer, "prose"))
    assert "\ufb01" not in text and "\ufffd" not in text
    assert not any(line.strip().isdigit() for line in text.splitlines())
    head = primer.title
    assert text.count(head) == 0


def test_table_caption_footnote_and_references(primer: Paper) -> None:
    (table,) = (passage for passage in primer.passages if passage.role == "table")
    assert table.label == "Table 1"
    assert "get_attr a parameter or buffer dotted path" in table.text.splitlines()
    assert any(text.startswith("Figure 1.") for text in texts(primer, "caption"))
    assert len(texts(primer, "footnote")) >= 1
    references = texts(primer, "reference")
    assert references[0].startswith("[1]")
    assert len(references) >= 5


def test_every_name_stands_where_it_says(primer: Paper) -> None:
    pypdfium2 = pytest.importorskip("pypdfium2")
    document = pypdfium2.PdfDocument(PRIMER / "primer.pdf")
    checked = 0
    for passage in primer.passages:
        for name in ("GraphModule", "Tracer.is_leaf_module", "create_proxy"):
            if (at := passage.text.find(name)) < 0:
                continue
            place = passage.place(at, at + len(name))
            seen = document[place.page - 1].get_textpage().get_text_bounded(*place.box)
            assert name in seen.replace("\r\n", "")
            checked += 1
    document.close()
    assert checked > 5
