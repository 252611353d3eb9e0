"""`fxanchor sheet`: a study sheet of what map and trace found."""

from pathlib import Path
from typing import Annotated

import typer

from fxanchor.cli import options, outputs, terminal
from fxanchor.cli.command import is_foreign
from fxanchor.errors import UsageError
from fxanchor.sheet.study.options import Language, Level, SheetFormat, SheetRequest

# What may be said beside --again: what is not kept in a sheet.
_BESIDE_AGAIN = {"again", "password", "seconds", "network"}


_ENDINGS: dict[str, tuple[str, ...]] = {
    SheetFormat.markdown: (".md", ".markdown"),
    SheetFormat.html: (".html", ".htm"),
    SheetFormat.notebook: (".ipynb",),
    SheetFormat.anki: (".tsv",),
}


def sheet_command(
    context: typer.Context,
    paper: Annotated[
        str | None,
        typer.Argument(metavar="PAPER", help="A PDF file, arxiv:ID, or an http(s) URL.", show_default=False),
    ] = None,
    model: Annotated[
        list[str] | None, typer.Argument(metavar="MODEL", help="Models to trace.", show_default=False)
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write to this file, such as study.md (default: print)."),
    ] = None,
    split: Annotated[
        Path | None, typer.Option("--split", metavar="DIR", help="Write a page for each card into this folder.")
    ] = None,
    again: Annotated[
        Path | None, typer.Option("--again", metavar="FILE", help="Make this sheet again, of what it was made of.")
    ] = None,
    form: Annotated[
        SheetFormat | None, typer.Option("--format", help="What to write it as (default: markdown, or as -o ends).")
    ] = None,
    level: Annotated[Level, typer.Option("--level", help="How much it teaches.")] = Level.engineer,
    only: Annotated[
        str, typer.Option("--only", metavar="NAMES", help="Cards for these concepts alone: GraphModule,Proxy.")
    ] = "",
    language: Annotated[Language, typer.Option("--lang", help="Language of the sheet's own words.")] = Language.en,
    claims: Annotated[bool, typer.Option("--claims", help="List what the paper claims, to be questioned.")] = False,
    labs: Annotated[bool, typer.Option("--labs/--no-labs", help="Run the experiments of the cards.")] = True,
    package: options.Packages = None,
    source: options.Source = None,
    password: options.Password = None,
    args: options.Args = "",
    config: options.Config = "",
    inputs: options.Inputs = "",
    seconds: options.Seconds = 300,
    network: options.Network = False,
) -> None:
    """Write a study sheet: the paper's words, the code, the breakpoint, and the line of your model that sets it off."""
    if again is not None:
        given = {name for name in context.params if _is_given(context, name)} - _BESIDE_AGAIN
        if given:
            raise UsageError(
                "--again takes everything from the sheet; name the file alone, or write a new sheet with -o."
            )
        _make_again(again, password=password, seconds=seconds, network=network)
        return
    if paper is None:
        raise UsageError("Name a paper: fxanchor sheet PAPER [MODEL...].")
    names = tuple(name.strip() for name in only.split(",") if name.strip())
    if only and not names:
        raise UsageError("--only names no concept; give names with commas between: GraphModule,Proxy.")
    for source_name in (paper, *(model or ())):
        terminal.refuse_overwriting(output, source_name)
        if is_foreign(source_name):
            raise UsageError(f"A sheet is UTF-8 and names what it is made of; give {source_name} a name that is, too.")
    if not model and (args or config or inputs):
        raise UsageError("--args, --config and --input are for a model; name one behind the paper.")
    request = SheetRequest(
        paper=paper,
        models=tuple(model or ()),
        packages=tuple(package or ()),
        source_tree=source,
        password=password,
        level=level,
        only=names,
        language=language,
        format=SheetFormat(outputs.choose_form(output, form, SheetFormat.markdown, _ENDINGS)),
        claims=claims,
        labs=labs,
        args=args,
        config=config,
        inputs=inputs,
        seconds=seconds,
        network=network,
    )
    _make(request, output, split)


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _make(request: SheetRequest, output: Path | None, split: Path | None) -> None:
    from fxanchor.sheet.study.make import make_sheet, previous_sheet, split_sheet

    with terminal.progress() as progress:
        if split is not None:
            if output is not None:
                raise UsageError("-o writes one file and --split a folder; name one of them.")
            split_sheet(request, split, progress=progress)
            terminal.tell(f"Wrote {split}.")
            return
        text = make_sheet(request, previous=previous_sheet(output, request.format), progress=progress)
    terminal.write(text, output)
    if output is not None and str(output) != "-":
        terminal.tell(f"Wrote {output}.")


def _make_again(file: Path, *, password: str | None, seconds: float, network: bool) -> None:
    from fxanchor.sheet.study.again import make_again

    with terminal.progress() as progress:
        written = make_again(file, password=password, seconds=seconds, network=network, progress=progress)
    terminal.tell(f"Wrote {written}.")
