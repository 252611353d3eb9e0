"""Make a sheet from what the user named: map the paper, trace the models, gather, write."""

from pathlib import Path

from fxanchor.breakpoints.trace import TraceRequest, trace_model
from fxanchor.errors import InputError
from fxanchor.progress import Progress, silent
from fxanchor.sheet.anchors import stops_to_prove
from fxanchor.sheet.mapping import DEFAULT_PACKAGE, map_paper
from fxanchor.sheet.study.content import Study, gather
from fxanchor.sheet.study.markdown import study_markdown
from fxanchor.sheet.study.notes import is_sheet, read_kept, restore
from fxanchor.sheet.study.options import SheetFormat, SheetRequest


def make_sheet(request: SheetRequest, *, previous: str = "", progress: Progress = silent) -> str:
    """Return a study sheet in the format that the request names.

    Args:
        request: What to make it of.
        previous: The sheet as it was, whose notes and ticks are kept; "" when there is none.
        progress: Told how far the work is.

    Raises:
        InputError: When the paper or a model cannot be read.
        UsageError: When a package is not installed or a model is ambiguous.
    """
    mapped = map_paper(
        request.paper,
        packages=request.packages or (DEFAULT_PACKAGE,),
        source_tree=request.source_tree,
        password=request.password,
        progress=progress,
    )
    also = stops_to_prove(mapped)
    traces = [trace_model(TraceRequest(model), mapped.index, also=also, progress=progress) for model in request.models]
    study = gather(mapped, traces, level=request.level, only=request.only)
    return _written(study, request, previous, progress)


def _written(study: Study, request: SheetRequest, previous: str, progress: Progress) -> str:
    """Return the sheet in the format that was asked for; each format's writer is imported only for it."""
    if request.format is SheetFormat.html:
        from fxanchor.sheet.reader.page import reader_page

        return reader_page(study, request.language, password=request.password, progress=progress)
    return restore(study_markdown(study, request.language), read_kept(previous), request.language)


def previous_sheet(output: Path | None) -> str:
    """Return the sheet that a file holds, "" when there is no such file.

    Raises:
        InputError: When the file is something else than a sheet, which must not be lost, or cannot be read.
    """
    if output is None or str(output) == "-" or not output.exists():
        return ""
    try:
        text = output.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        text = "not a sheet"
    if text.strip() and not is_sheet(text):
        raise InputError(f"{output} exists and is not a study sheet. Name another file with -o.")
    return text
