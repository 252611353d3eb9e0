"""Check a text: find what it says about source and paper, and give each statement a verdict."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fxanchor.checking.barenames import check_bare_names
from fxanchor.checking.classes import Shapes
from fxanchor.checking.codeblocks import check_syntax, read_blocks
from fxanchor.checking.counts import check_counts
from fxanchor.checking.exceptions import check_exceptions
from fxanchor.checking.figurenames import check_figure_names
from fxanchor.checking.filenames import check_files
from fxanchor.checking.library import Library
from fxanchor.checking.lines import check_lines
from fxanchor.checking.lists import check_lists
from fxanchor.checking.pagecount import check_page_count
from fxanchor.checking.paperclaims import check_paper_places
from fxanchor.checking.paperfacts import PaperFacts
from fxanchor.checking.paperquotes import check_paper_quotes
from fxanchor.checking.paths import check_paths
from fxanchor.checking.reading import read_text
from fxanchor.checking.receivers import Receivers
from fxanchor.checking.reference import Checked, Reference, Text
from fxanchor.checking.relations import check_relations
from fxanchor.checking.runs import check_runs
from fxanchor.checking.sheets import check_sheet, is_sheet
from fxanchor.checking.sourcequotes import check_source_quotes
from fxanchor.checking.symbols import Knowledge, check_symbols
from fxanchor.checking.venue import check_venue
from fxanchor.progress import Progress, silent


@dataclass(frozen=True, slots=True)
class Request:
    """What texts are checked against.

    Attributes:
        library: The packages that they speak of.
        paper: The paper that they speak of, or None.
        stated: What its PDF says of where it appeared.
        run: Whether to run their code blocks: somebody's code, so only when the user says so.
        seconds: Wall-clock limit of one code block.
    """

    library: Library
    paper: PaperFacts | None = None
    stated: str = ""
    run: bool = False
    seconds: float = 60.0


def check_file(path: Path, request: Request, *, progress: Progress = silent) -> Checked:
    """Check a file.

    Args:
        path: A file ending in `.md`, `.txt`, `.rst`, `.html`, `.ipynb` or `.pdf`.
        request: What it is checked against.
        progress: Told what is done.

    Raises:
        InputError: When the file cannot be read.
    """
    progress(f"checking {path.name}", 0, 0)
    return check_text(read_text(path), request, progress=progress)


def check_text(text: Text, request: Request, *, progress: Progress = silent) -> Checked:
    """Check a text.

    Args:
        text: The text.
        request: What it is checked against.
        progress: Told what is done.
    """
    library, paper = request.library, request.paper
    if is_sheet(text):
        return Checked(text, tuple(_in_order([*check_sheet(text, library, paper)])))
    knowledge = Knowledge(text, library, Shapes(library), Receivers(library))
    found: list[Reference] = [*check_lines(text, library)]
    found += check_files(text, library, found)
    found += check_symbols(knowledge)
    found += check_relations(knowledge)
    found += check_lists(knowledge)
    found += check_exceptions(knowledge)
    found += check_bare_names(knowledge, found)
    found += check_paths(text, library, found)
    if paper is not None:
        places = list(check_paper_places(text, paper))
        found += places
        found += check_paper_quotes(text, paper, places)
        found += check_figure_names(text, paper)
        found += check_counts(text, paper)
        found += check_page_count(text, paper)
        found += check_venue(text, paper, request.stated)
    found += check_source_quotes(text, library, found)
    blocks = read_blocks(text)
    found += check_syntax(blocks)
    if request.run:
        found += check_runs(text, blocks, library, seconds=request.seconds, progress=progress)
    return Checked(text, tuple(_in_order(found)))


def _in_order(found: Sequence[Reference]) -> list[Reference]:
    """Return references by place, each statement once: the one that says more where two speak of the same."""
    kept: dict[tuple[int, int], Reference] = {}
    rank = {"wrong": 0, "moved": 1, "right": 2, "cannot tell": 3}
    for one in sorted(found, key=lambda one: (one.start, -one.end, rank[one.verdict])):
        kept.setdefault((one.start, one.end), one)
    return list(kept.values())
