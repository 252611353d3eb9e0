"""Make a sheet from what the user named: map the paper, trace the models, gather, write."""

from fxanchor.breakpoints.trace import TraceRequest, trace_model
from fxanchor.progress import Progress, silent
from fxanchor.sheet.anchors import stops_to_prove
from fxanchor.sheet.mapping import DEFAULT_PACKAGE, map_paper
from fxanchor.sheet.study.content import gather
from fxanchor.sheet.study.markdown import study_markdown
from fxanchor.sheet.study.options import SheetRequest


def make_sheet(request: SheetRequest, *, progress: Progress = silent) -> str:
    """Return the markdown of a study sheet.

    Args:
        request: What to make it of.
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
    return study_markdown(study, request.language)
