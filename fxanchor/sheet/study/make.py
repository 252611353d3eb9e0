"""Make a sheet from what the user named: map the paper, trace the models, run the experiments, write."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from fxanchor.breakpoints.trace import Trace, TraceRequest, trace_model
from fxanchor.errors import InputError, UsageError
from fxanchor.labs.lab import LabResult
from fxanchor.labs.shelf import all_labs
from fxanchor.progress import Progress, silent
from fxanchor.sheet.anchors import stops_to_prove
from fxanchor.sheet.claims_text import claims_of
from fxanchor.sheet.mapping import DEFAULT_PACKAGE, map_paper
from fxanchor.sheet.study.content import Study, gather, with_labs
from fxanchor.sheet.study.experiments import choose_labs, run_chosen
from fxanchor.sheet.study.folder import read_pages, write_pages
from fxanchor.sheet.study.front import is_sheet
from fxanchor.sheet.study.markdown import study_markdown
from fxanchor.sheet.study.notes import read_kept, restore
from fxanchor.sheet.study.options import Level, SheetFormat, SheetRequest
from fxanchor.sheet.study.seal import refuse_changed, sealed


def make_sheet(request: SheetRequest, *, previous: str = "", progress: Progress = silent) -> str:
    """Return a study sheet in the format that the request names.

    Args:
        request: What to make it of.
        previous: The sheet as it was, whose notes and ticks are kept; "" when there is none.
        progress: Told how far the work is.

    Raises:
        InputError: When the paper or a model cannot be read.
        UsageError: When a package is not installed, a model is ambiguous, or `only` names what has no card.
    """
    return _written(study_of(request, progress), request, previous, progress)


def split_sheet(request: SheetRequest, folder: Path, *, progress: Progress = silent) -> None:
    """Write a study sheet into a folder, a page each with an index; the reader's notes in it are kept.

    Args:
        request: What to make it of.
        folder: The folder; other files in it stay as they are.
        progress: Told how far the work is.

    Raises:
        InputError: When the paper or a model cannot be read, or the folder cannot be written; it is then as it was.
        UsageError: As `make_sheet`.
    """
    from fxanchor.sheet.study.pages import study_pages

    if request.format is not SheetFormat.markdown:
        raise UsageError("--split writes markdown pages; leave --format out.")
    previous = read_pages(folder)
    for page, text in previous.items():
        refuse_changed(text, folder / page)
    study = study_of(request, progress)
    kept = read_kept(*previous.values())
    write_pages(folder, study_pages(study, request, kept), previous)


def study_of(request: SheetRequest, progress: Progress = silent) -> Study:
    """Return what a sheet says: the mapped paper, the traced models, the experiments and the claims.

    Raises:
        InputError: As `make_sheet`.
        UsageError: As `make_sheet`.
    """
    if request.source_tree is not None and request.models:
        raise UsageError("Breakpoints are proven on the installed package; leave out --source or the models.")
    mapped = map_paper(
        request.paper,
        packages=request.packages or (DEFAULT_PACKAGE,),
        source_tree=request.source_tree,
        password=request.password,
        progress=progress,
    )
    # A misspelt name is told before the models run.
    gather(mapped, (), level=request.level, only=request.only)
    also = stops_to_prove(mapped)
    wanted = [_trace_request(model, request) for model in request.models]
    traces = [trace_model(one, mapped.index, also=also, progress=progress) for one in wanted]
    study = gather(mapped, traces, level=request.level, only=request.only)
    if request.claims or request.level is Level.deep:
        study = replace(study, claims=claims_of(mapped))
    # Experiments run on the installed torch, and say nothing of another source tree.
    if request.labs and request.source_tree is None:
        study = with_labs(study, _experiments(study, wanted, traces, progress))
    return study


def previous_sheet(output: Path | None, form: SheetFormat = SheetFormat.markdown) -> str:
    """Return the sheet that a file holds, "" when there is no such file.

    Args:
        output: The file that is about to be written.
        form: What it is about to be written as.

    Raises:
        InputError: When the file is something else than a sheet, which must not be lost, or cannot be read.
    """
    # A pipe or a terminal holds no sheet, and would be waited for.
    if output is None or str(output) == "-" or not output.exists() or output.is_fifo() or output.is_char_device():
        return ""
    try:
        text = output.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        text = "not a sheet"
    if text.strip() and not _recognises(form)(text):
        raise InputError(f"{output} exists and is not a study sheet. Name another file with -o.")
    if form is SheetFormat.markdown:
        refuse_changed(text, output)
    return text


def _recognises(form: SheetFormat) -> Callable[[str], bool]:
    if form is SheetFormat.notebook:
        from fxanchor.sheet.study.notebook import is_notebook

        return is_notebook
    if form is SheetFormat.anki:
        from fxanchor.sheet.study.anki import is_deck

        return is_deck
    if form is SheetFormat.html:
        from fxanchor.sheet.reader.page import is_reader

        return is_reader
    return is_sheet


def _experiments(
    study: Study, wanted: list[TraceRequest], traces: list[Trace], progress: Progress
) -> dict[str, LabResult]:
    concepts = {card.identity: card.concept for card in study.cards}
    classes = [name for name, one in concepts.items() if one.definition and one.definition.kind == "class"]
    chosen = choose_labs(list(concepts), classes, all_labs())
    # Labs capture symbolically; a model that only another rung could take is not for them.
    fit = (one for one, trace in zip(wanted, traces, strict=True) if trace.capture.code)
    return run_chosen(chosen, next(fit, None), progress=progress)


def _trace_request(model: str, request: SheetRequest) -> TraceRequest:
    return TraceRequest(
        model, request.args, request.config, request.inputs, seconds=request.seconds, network=request.network
    )


def _written(study: Study, request: SheetRequest, previous: str, progress: Progress) -> str:
    """Return the sheet in the format that was asked for; each format's writer is imported only for it."""
    if request.format is SheetFormat.html:
        from fxanchor.sheet.reader.page import reader_page

        return reader_page(study, request.language, password=request.password, progress=progress)
    if request.format is SheetFormat.notebook:
        from fxanchor.sheet.study.notebook import study_notebook

        return study_notebook(study, request, previous)
    if request.format is SheetFormat.anki:
        from fxanchor.sheet.study.anki import study_deck

        return study_deck(study, request)
    return sealed(restore(study_markdown(study, request), read_kept(previous), request.language))
