"""`fxanchor trace`: a model's operations with the lines that caused them, and breakpoints proven on it."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from fxanchor.cli import options, outputs, terminal
from fxanchor.errors import CaptureError, UsageError


class RungName(StrEnum):
    """One way of capturing a model."""

    symbolic_trace = "symbolic_trace"
    export = "export"
    eager = "eager"


class View(StrEnum):
    """In which order to read a capture."""

    nodes = "nodes"
    modules = "modules"
    lines = "lines"


class ExportName(StrEnum):
    """A debugger or editor to hand breakpoints to."""

    pdb = "pdb"
    vscode = "vscode"
    pycharm = "pycharm"
    dap = "dap"
    vim = "vim"
    emacs = "emacs"


# What each export writes, and what such a file may be called.
_WRITTEN: dict[ExportName, tuple[str, ...]] = {
    ExportName.pdb: ("pdb commands", ".pdbrc", ".txt", ""),
    ExportName.vscode: ("a launch configuration", ".json"),
    ExportName.pycharm: ("an XML file", ".xml"),
    ExportName.dap: ("a JSON file", ".json"),
    ExportName.vim: ("a list of places", ".qf", ".err", ".txt", ""),
    ExportName.emacs: ("a list of places", ".err", ".txt", ""),
}


def trace_command(
    model: options.Model,
    paper: options.PaperOption = None,
    password: options.Password = None,
    args: options.Args = "",
    config: options.Config = "",
    inputs: options.Inputs = "",
    rung: Annotated[RungName | None, typer.Option("--rung", help="Capture in this way alone.")] = None,
    only_fx: Annotated[bool, typer.Option("--only-fx", help="Stop after symbolic_trace.")] = False,
    seconds: options.Seconds = 300,
    network: options.Network = False,
    view: Annotated[View, typer.Option("--view", help="By node, by module, or your own lines.")] = View.nodes,
    graph: Annotated[
        Path | None, typer.Option("--graph", metavar="FILE", help="Draw the graph: a .svg, .dot or .mmd file.")
    ] = None,
    fix_out: Annotated[
        Path | None, typer.Option("--fix-out", metavar="FILE", help="Write a tracer with the recipes that worked.")
    ] = None,
    diff: Annotated[bool, typer.Option("--diff", help="Print the source changes that were tried, as a diff.")] = False,
    export: Annotated[
        ExportName | None, typer.Option("--export", help="Also write the proven breakpoints for this debugger.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="File that --export writes.")
    ] = None,
    editor: options.Editor = options.EditorName.file,
    as_json: options.Json = False,
) -> None:
    """Capture a model and prove on it where the capture can be watched."""
    from fxanchor.breakpoints.trace import TraceRequest, trace_model
    from fxanchor.sheet.anchors import join, stops_to_prove
    from fxanchor.sheet.mapping import DEFAULT_PACKAGE, map_paper
    from fxanchor.source.index import open_index

    capture_options = {"rung": rung.value if rung else None, "only_fx": only_fx}
    request = TraceRequest(model, args, config, inputs, capture_options, seconds=seconds, network=network)
    request.spec()
    if only_fx and rung not in (None, RungName.symbolic_trace):
        raise UsageError(f"--only-fx stops after symbolic_trace and --rung {rung.value} is another way; leave one out.")
    if diff and as_json:
        raise UsageError("--diff prints source changes as a diff; leave --json out, or read the recipes in the JSON.")
    if output is not None and export is None:
        raise UsageError("-o names the file that --export writes; add --export, or send the output to a file with >.")
    for written in (graph, fix_out, output):
        terminal.refuse_overwriting(written, model)
    if graph is not None:
        from fxanchor.sheet.graph import FORMATS

        outputs.require_ending(graph, "--graph", "a drawing", *FORMATS)
    outputs.require_ending(fix_out, "--fix-out", "a Python file", ".py")
    if export is not None:
        outputs.require_ending(output, f"--export {export.value}", *_WRITTEN[export])
    with terminal.progress() as progress:
        mapped = map_paper(paper, password=password, progress=progress) if paper else None
        index = mapped.index if mapped else open_index([DEFAULT_PACKAGE], progress=progress)
        trace = trace_model(request, index, also=stops_to_prove(mapped), progress=progress)
    # Files first: when the reader of our output leaves early (head, less), they are there all the same.
    if graph is not None:
        from fxanchor.sheet.graph import draw_graph

        terminal.write(draw_graph(trace.capture.nodes, graph), graph)
        terminal.tell(f"Wrote {graph}.")
    if export is not None:
        from fxanchor.breakpoints.export.point import points_of
        from fxanchor.breakpoints.export.write import export as write_export

        for file in write_export(export.value, points_of(trace.proofs, index.packages[0].root), model, output):
            terminal.tell(f"Wrote {file}.")
    if fix_out is not None:
        _write_fix(trace.capture.fix, fix_out)
    if diff:
        _print_diff(trace.capture.diff)
        return
    anchors = join(trace.proofs, index, mapped)
    if as_json:
        from fxanchor.sheet.trace_json import trace_document

        terminal.write_json(trace_document(trace, anchors, index))
    else:
        from fxanchor.sheet.trace_text import trace_parts

        parts = trace_parts(
            trace,
            anchors,
            index,
            model=model,
            view=view.value,
            with_paper=mapped is not None,
            narrow=terminal.is_narrow(),
        )
        terminal.show_parts(parts, site=index.packages[0].root, editor=editor.value)
    if not trace.capture.ok:
        raise CaptureError(_why(trace.capture.file))


def _write_fix(text: str, file: Path) -> None:
    if not text:
        typer.echo("No recipe was verified, or they do not go together: no file was written.", err=True)
        return
    terminal.write(text, file)
    terminal.tell(f"Wrote {file}.")


def _print_diff(text: str) -> None:
    if text:
        typer.echo(text, nl=not text.endswith("\n"))
    else:
        typer.echo("No change of the source was tried with success.", err=True)


def _why(file: str) -> str:
    return f"No way of capturing could take {file}; what stands in the way is listed above."
