"""Names and sentences that a line, a column or a page breaks: all their parts in the JSON, the PDF and the reader."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypdf
import pypdfium2
import pytest
from helpers.pdf_files import Page, write_pdf
from PIL import ImageStat
from pypdf.generic import ArrayObject

from fxanchor.concepts.concept import Mention
from fxanchor.paper.document import Box
from fxanchor.sheet.claims_text import claims_of
from fxanchor.sheet.highlights import highlight
from fxanchor.sheet.map_json import map_document
from fxanchor.sheet.mapping import Mapped, map_paper
from fxanchor.sheet.reader.data import boxes_by_page, marked, reader_document
from fxanchor.sheet.reader.pictures import draw_pages
from fxanchor.sheet.study.content import gather
from fxanchor.sheet.study.options import Language

_FILL = (
    "and here the text of the column goes on",
    "without a name that anybody could look for",
    "in a package, so that it only takes room,",
)
LEFT = (
    "We describe how a program is captured, and",
    "what comes of it, in words that name what is",
    "in the package. Whoever wants to change it has",
    "to know the class <c:9>GraphModule</c> and <c:9>Interp-</c>",
    "<c:9>reter</c> which walks over its nodes in their order",
    "and runs them. The words of this column go on",
    "until it ends, and stand in lines as wide as it",
    *_FILL,
    *_FILL,
    "it. To make a graph one calls <c:9>torch.fx.symbolic_</c>",
)
RIGHT = (
    "<c:9>trace</c> with a model, and from then on there is a",
    "graph. What stands in this column is read on",
    "behind the other, so that a name may begin on",
    "the one and end on the other. It is the same",
    "with a page that ends, as this one does soon,",
    "where the text goes on at the head of the next",
    "page in the first of its columns, as it is in",
    *_FILL,
    *_FILL,
    "papers. What the trace returns is a <c:9>GraphMod-</c>",
)
NEXT = (
    "<c:9>ule</c> that is made of it, and with that ends what",
    "there is to say of names that are broken, for",
    "the <c:9>Interpreter</c> is named once more, and no other,",
    *_FILL,
    *_FILL,
    "which is all that this page has to say of it.",
)


@dataclass(frozen=True)
class Broken:
    """The paper with broken names."""

    file: Path
    mapped: Mapped

    def mentions(self) -> list[Mention]:
        """Return what runs over more than one line, in the order of the paper."""
        found = [mention for concept in self.mapped.found.concepts for mention in concept.mentions]
        return sorted((one for one in found if len(one.places) > 1), key=lambda one: one.places)


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Broken:
    first, second = Page(), Page()
    for page, x, lines in ((first, 72, LEFT), (first, 320, RIGHT), (second, 72, NEXT)):
        for number, line in enumerate(lines):
            page.text(x, 700 - 12 * number, 10, line)
    file = write_pdf(tmp_path_factory.mktemp("broken") / "broken.pdf", [first, second])
    return Broken(file, map_paper(str(file)))


def lines_of(places: Sequence[Any]) -> list[tuple[int, int, float]]:
    """Return page, top and left of each part, in whole lines of the page and columns."""
    return [(page, round((700 - box[1]) / 12) + 1, box[0]) for page, _, box in places]


def test_a_mention_has_every_part(broken: Broken) -> None:
    line, column, page = broken.mentions()
    assert [one.surface for one in (line, column, page)] == ["Interpreter", "torch.fx.symbolic_trace", "GraphModule"]
    assert {one.status for one in (line, column, page)} == {"linked"}
    assert [(number, row) for number, row, _ in lines_of(line.places)] == [(1, 4), (1, 5)]
    assert [(number, row) for number, row, _ in lines_of(column.places)] == [(1, 14), (1, 1)]
    assert [left > 300 for _, _, left in lines_of(column.places)] == [False, True]
    assert [(number, row) for number, row, _ in lines_of(page.places)] == [(1, 14), (2, 1)]


def test_the_json_has_every_part_of_names_and_claims(broken: Broken) -> None:
    document = map_document(broken.mapped, with_claims=True)
    listed = [one["places"] for concept in document["concepts"] for one in concept["mentions"]]
    for mention in broken.mentions():
        places = [
            {"page": place.page, "line": place.line, "box": [round(value, 2) for value in place.box]}
            for place in mention.places
        ]
        assert places in listed
    (claim,) = [one for one in document["claims"] if one["sentence"].startswith("What the trace returns")]
    first, *rest = claim["places"]
    assert first["page"] == 1
    assert rest[-1]["page"] == 2
    assert (claim["page"], claim["line"], claim["box"]) == (first["page"], first["line"], first["box"])


def is_at(mark: tuple[int, float, float], page: int, box: Box) -> bool:
    """Tell whether the lower left corner of a mark is that of a box on a page, but for the margin."""
    number, left, bottom = mark
    return number == page and abs(left - box.x0) <= 1 and abs(bottom - box.y0) <= 1


def test_the_annotated_copy_marks_every_part(broken: Broken, tmp_path: Path) -> None:
    out = tmp_path / "out.pdf"
    highlight(broken.mapped, out)
    quads: list[tuple[int, float, float]] = []
    links: list[tuple[int, float, float]] = []
    for number, page in enumerate(pypdf.PdfReader(out).pages, 1):
        annotations = page["/Annots"]
        assert isinstance(annotations, ArrayObject)
        for mark in (one.get_object() for one in annotations):
            if mark["/Subtype"] == "/Highlight":
                corners = [float(value) for value in mark["/QuadPoints"]]
                quads += [(number, corners[at], corners[at + 5]) for at in range(0, len(corners), 8)]
            else:
                links.append((number, float(mark["/Rect"][0]), float(mark["/Rect"][1])))
    for mention in broken.mentions():
        for page_number, _, box in mention.places:
            for marks in (quads, links):
                assert [mark for mark in marks if is_at(mark, page_number, box)]


def test_a_claim_is_underlined_on_every_line(broken: Broken, tmp_path: Path) -> None:
    out = tmp_path / "out.pdf"
    highlight(broken.mapped, out, with_claims=True)
    claims = claims_of(broken.mapped)
    lines = 0
    for page in pypdf.PdfReader(out).pages:
        annotations = page["/Annots"]
        assert isinstance(annotations, ArrayObject)
        marks = [mark for one in annotations if (mark := one.get_object())["/Subtype"] == "/Underline"]
        assert {mark["/Contents"].partition(":")[0] for mark in marks} <= {claim.kind for claim in claims}
        lines += sum(len(mark["/QuadPoints"]) // 8 for mark in marks)
    assert lines == sum(len(claim.places) for claim in claims) > len(claims)
    before, after = pypdfium2.PdfDocument(broken.file), pypdfium2.PdfDocument(out)
    for place in (place for claim in claims for place in claim.places):
        shown = []
        for document in (before, after):
            picture = document[place.page - 1].render(scale=2).to_pil().convert("RGB")
            area = tuple(
                round(2 * value) for value in (place.box.x0, 792 - place.box.y0 - 2, place.box.x1, 794 - place.box.y0)
            )
            shown.append(ImageStat.Stat(picture.crop(area)).mean)
        assert shown[0][0] - shown[1][0] > 20, place
        assert shown[0][2] - shown[1][2] < shown[0][0] - shown[1][0], place
    before.close()
    after.close()


def test_the_reader_has_an_area_for_every_part(broken: Broken) -> None:
    study = gather(broken.mapped, [])
    mentions = marked(study)
    pictures = draw_pages(broken.file, boxes_by_page(mentions))
    document = reader_document(study, mentions, pictures, Language.en)
    for (_, mention), shown in zip(mentions, document["mentions"], strict=True):
        assert len(shown["areas"]) == len(mention.places)
        for place, (page, left, top, _, height) in zip(mention.places, shown["areas"], strict=True):
            assert page == place.page
            assert left == pytest.approx(place.box.x0 / 612 * 100, abs=0.1)
            assert top + height == pytest.approx((792 - place.box.y0) / 792 * 100, abs=0.1)
