"""The main job of `check`: texts, a paper and packages in, the verdicts that the renderers show out."""

from collections.abc import Sequence
from pathlib import Path

from fxanchor.checking.check import Request, check_file
from fxanchor.checking.library import Library
from fxanchor.checking.paperfacts import PaperFacts
from fxanchor.checking.reference import Checked
from fxanchor.checking.venue import stated_venue
from fxanchor.paper.fetch import locate_paper
from fxanchor.paper.read import read_paper
from fxanchor.progress import Progress, silent
from fxanchor.sheet.mapping import DEFAULT_PACKAGE
from fxanchor.source.index import open_index


def check_files(
    files: Sequence[Path],
    *,
    paper: str | None = None,
    packages: Sequence[str] = (),
    source_tree: Path | None = None,
    password: str | None = None,
    run: bool = False,
    seconds: float = 60.0,
    progress: Progress = silent,
) -> tuple[Checked, ...]:
    """Check texts.

    Args:
        files: The texts.
        paper: The paper that they speak of: a PDF path, `arxiv:ID` or a URL; or None.
        packages: Import names of the packages that they speak of.
        source_tree: A directory, wheel or sdist to use in place of the installed package.
        password: Password of an encrypted PDF.
        run: Whether to run their code blocks.
        seconds: Wall-clock limit of one code block.
        progress: Told how far the work is.

    Returns:
        The files with their references, in the order of `files`.

    Raises:
        InputError: When a file, the paper or the source cannot be read.
        UsageError: When a package is not installed.
    """
    facts, stated = None, ""
    if paper is not None:
        path = locate_paper(paper, progress=progress)
        facts = PaperFacts(read_paper(path, password=password, progress=progress))
        stated = stated_venue(path, facts, password)
    index = open_index(packages or (DEFAULT_PACKAGE,), source=source_tree, progress=progress)
    request = Request(Library(index), facts, stated, run, seconds)
    return tuple(check_file(file, request, progress=progress) for file in files)
