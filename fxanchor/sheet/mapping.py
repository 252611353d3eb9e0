"""The main job of `map`: a paper and a package in, everything that the renderers show out."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fxanchor.concepts.concept import Concept, PaperMap
from fxanchor.concepts.link import link_paper
from fxanchor.paper.document import Paper
from fxanchor.paper.fetch import locate_paper
from fxanchor.paper.read import read_paper
from fxanchor.progress import Progress, silent
from fxanchor.source.ahead import index_ahead
from fxanchor.source.definition import Definition, Stop
from fxanchor.source.stops import entry_stop

if TYPE_CHECKING:
    from fxanchor.source.index import Index

DEFAULT_PACKAGE = "torch.fx"


@dataclass(frozen=True, slots=True)
class Mapped:
    """A paper tied to a package's source.

    Attributes:
        path: The paper as the user named it.
        file: The PDF on disk.
        paper: The paper as read.
        index: The package's definitions.
        found: Concepts and their links.
        stops: The line that stops, for every concept that has one, by qualified name.
        stopless: Why no line stops, for every other concept that has a definition, by qualified name.
    """

    path: str
    file: Path
    paper: Paper
    index: "Index"
    found: PaperMap
    stops: dict[str, Stop]
    stopless: dict[str, str]


def map_paper(
    source: str,
    *,
    packages: Sequence[str] = (DEFAULT_PACKAGE,),
    source_tree: Path | None = None,
    keywords: Sequence[str] = (),
    password: str | None = None,
    progress: Progress = silent,
) -> Mapped:
    """Read a paper, index the packages and link the one to the others.

    Args:
        source: A PDF path, `arxiv:ID` or a URL.
        packages: Import names of installed packages.
        source_tree: A directory, wheel or sdist to use in place of the installed package.
        keywords: Names to look for in any case; with none, only what the paper itself names is listed.
        password: Password of an encrypted PDF.
        progress: Told how far the work is.

    Returns:
        What was found.

    Raises:
        InputError: When the paper or the source cannot be read.
        UsageError: When a package is not installed.
    """
    file = locate_paper(source, progress=progress)
    with index_ahead(packages, source=source_tree) as opened:
        paper = read_paper(file, password=password, progress=progress)
        index = opened(progress)
    found = link_paper(paper, index, keywords=keywords, progress=progress)
    stops, stopless = _stops(found.concepts, index)
    return Mapped(source, file, paper, index, found, stops, stopless)


def package_name(index: "Index") -> str:
    """Return the packages in words, with version and short commit: `torch.fx 2.14.1 (5c488690)`."""
    words = []
    for package in index.packages:
        commit = f" ({package.git_version[:8]})" if package.git_version else ""
        words.append(f"{package.name} {package.version}{commit}".rstrip())
    return ", ".join(words)


def short_path(definition: Definition | Stop, index: "Index") -> str:
    """Return a file of the package without the folders that every file of the package shares but the last.

    `torch/fx/graph.py` becomes `fx/graph.py` for the package `torch.fx`, and stays as it is for several packages.
    """
    if len(index.packages) != 1:
        return definition.file
    parents = index.packages[0].name.split(".")[:-1]
    prefix = "/".join(parents) + "/" if parents else ""
    return definition.file.removeprefix(prefix)


def _stops(concepts: Sequence[Concept], index: "Index") -> tuple[dict[str, Stop], dict[str, str]]:
    stops: dict[str, Stop] = {}
    stopless: dict[str, str] = {}
    for name in dict.fromkeys(concept.definition.name for concept in concepts if concept.definition is not None):
        stop = entry_stop(index, name)
        if stop.line:
            stops[name] = stop
        else:
            stopless[name] = stop.note
    return stops, stopless
