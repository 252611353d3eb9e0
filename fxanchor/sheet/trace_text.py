"""The whole answer of `trace` for a person: heading, what stands in the way, and the tables, in reading order."""

import shlex
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from fxanchor.breakpoints.trace import Trace
from fxanchor.model.report import Capture
from fxanchor.sheet.anchors import Anchor
from fxanchor.sheet.blocker_text import SourceLine, capture_words
from fxanchor.sheet.escape import plain
from fxanchor.sheet.table import Table
from fxanchor.sheet.trace_tables import anchor_table, node_table, own_file, trace_heading, watch_table
from fxanchor.sheet.trace_views import lines_text, module_table

if TYPE_CHECKING:
    from fxanchor.source.index import Index

View = Literal["nodes", "modules", "lines"]


def trace_parts(
    trace: Trace,
    anchors: Sequence[Anchor],
    index: "Index",
    *,
    model: str,
    view: View = "nodes",
    with_paper: bool,
    narrow: bool = False,
) -> Iterator[str | Table]:
    """Give the parts to print, one below the other.

    Args:
        trace: What was found.
        anchors: The breakpoints joined to the paper and the source.
        index: Definitions of the package.
        model: The model as the user named it, for the command to go on with.
        view: In which order the capture is shown.
        with_paper: Whether a paper was given.
        narrow: Whether the terminal has no room for the definitions.
    """
    capture = trace.capture
    source_line = _reader([index.packages[0].root, *_roots(capture)])
    yield trace_heading(capture)
    if words := capture_words(capture, source_line):
        yield words
    if capture.nodes and view == "modules":
        yield module_table(capture)
    elif capture.nodes and view == "lines":
        yield lines_text(capture, source_line)
    elif capture.nodes:
        yield node_table(capture)
    if anchors:
        yield anchor_table(anchors, index, own=own_file(capture), with_paper=with_paper, narrow=narrow)
        yield watch_table(anchors, trace.states, index)
        if stand := _where_to_stand(anchors):
            yield f"Stand there: fxanchor debug {plain(shlex.quote(model))} --at {shlex.quote(stand)}"


def _where_to_stand(anchors: Sequence[Anchor]) -> str:
    """Return the breakpoint to begin with: the first key one that an expression of the user's set off."""
    hit = [anchor for anchor in anchors if anchor.proof.kind == "hit"]
    own = [anchor for anchor in hit if anchor.proof.wanted.key and anchor.proof.first_trigger is not None]
    return next((anchor.name for anchor in [*own, *hit]), "")


def _roots(capture: Capture) -> list[Path]:
    """Return the directory that the model's file is shown relative to, where it is shown as part of a package."""
    given = Path(capture.file).resolve()
    shown = Path(own_file(capture)).parts
    return [Path(*given.parts[: -len(shown)])] if given.parts[-len(shown) :] == shown else []


def _reader(roots: Sequence[Path]) -> SourceLine:
    """Return what reads a line of a file, "" when it cannot be read.

    Args:
        roots: Directories that a file may be relative to, besides the working directory.
    """

    def read(file: str, line: int) -> str:
        for path in (Path(file), *(root / file for root in roots)):
            try:
                with path.open(encoding="utf-8", errors="replace") as source:
                    return next(islice(source, line - 1, None), "").rstrip("\n") if line > 0 else ""
            except OSError:
                continue
        return ""

    return read
