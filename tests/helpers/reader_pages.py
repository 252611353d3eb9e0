"""Pages of the reader for tests: one of the shipped primer, and one whose every word is hostile."""

from dataclasses import dataclass
from pathlib import Path

from helpers.pdf_files import Page, write_pdf
from helpers.project import MODEL, PRIMER, ROOT

from fxanchor.breakpoints.proof import Proof, Seen, Wanted
from fxanchor.breakpoints.trace import Trace, TraceRequest, trace_model
from fxanchor.model.report import Capture, NodeRow, Trigger
from fxanchor.sheet.anchors import stops_to_prove
from fxanchor.sheet.mapping import map_paper
from fxanchor.sheet.reader.data import boxes_by_page, marked, reader_document
from fxanchor.sheet.reader.page import assemble, reader_page
from fxanchor.sheet.reader.pictures import draw_pages
from fxanchor.sheet.study.content import Study, gather
from fxanchor.sheet.study.options import Language

MARKUP = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>{{data}}"
_SOURCE = f'''
def build_graph(x):
    """Builds. {MARKUP} <!--"""
    return "{MARKUP}"
'''
_MODEL = f'''
TEXT = "{MARKUP}"
build_graph("{MARKUP}")
'''


@dataclass(frozen=True, slots=True)
class Shown:
    """What was gathered and the page made of it."""

    study: Study
    page: str


def primer() -> Shown:
    """Return the reader of the primer and the model that ship."""
    mapped = map_paper(str(PRIMER))
    trace = trace_model(TraceRequest(str(MODEL.relative_to(ROOT))), mapped.index, also=stops_to_prove(mapped))
    study = gather(mapped, [trace])
    return Shown(study, reader_page(study, Language.en))


def hostile(folder: Path, model: Path) -> str:
    """Return the reader of a paper, a package and a model that try to put markup into it.

    Args:
        folder: Where the paper and the package go.
        model: The model file, relative to the working directory.
    """
    package = folder / "evil"
    package.mkdir()
    (package / "__init__.py").write_text(_SOURCE, encoding="utf-8")
    model.write_text(_MODEL, encoding="utf-8")
    page = Page()
    page.text(72, 720, 16, MARKUP, "b")
    page.text(72, 690, 10, f"We call <c>evil.build_graph</c> on {MARKUP}")
    page.text(72, 678, 10, "and <c>evil.build_graph</c> once more, because it is short.")
    mapped = map_paper(str(write_pdf(folder / "evil.pdf", [page])), packages=["evil"], source_tree=folder)
    study = gather(mapped, [_trace(study_symbol="evil.build_graph", model=model)])
    mentions = marked(study)
    pictures = draw_pages(mapped.file, boxes_by_page(mentions))
    document = reader_document(study, mentions, pictures, Language.en)
    for definition in document["definitions"].values():
        definition["url"] = "javascript:window.hacked=1"
    for concept in document["concepts"]:
        concept["name"] += MARKUP
        concept["reason"] += MARKUP
    return assemble(MARKUP, pictures, document, Language.en)


def _trace(study_symbol: str, model: Path) -> Trace:
    from fxanchor.source.definition import Stop

    trigger = Trigger(str(model), 3, 3, 0, 12, MARKUP)
    wanted = Wanted(MARKUP, Stop(study_symbol, "evil/__init__.py", 4, 2))
    proof = Proof(wanted, "hit", 1, 1, (Seen(MARKUP, MARKUP),), trigger, MARKUP)
    node = NodeRow(MARKUP, "call_function", MARKUP, "recorded call", trigger)
    return Trace(Capture(str(model), MARKUP, MARKUP, True, "symbolic_trace", (), (node,)), (proof,))
