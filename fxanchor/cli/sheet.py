"""`fxanchor sheet`: a study sheet of what map and trace found."""

from pathlib import Path
from typing import Annotated

import typer

from fxanchor.cli import terminal
from fxanchor.sheet.study.options import Language, Level, SheetFormat, SheetRequest


def sheet_command(
    paper: Annotated[str, typer.Argument(help="A PDF file, arxiv:ID, or an http(s) URL.", show_default=False)],
    model: Annotated[list[str] | None, typer.Argument(help="Model files to trace.", show_default=False)] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file, such as study.md (default: print).")
    ] = None,
    package: Annotated[
        list[str] | None, typer.Option("--package", help="Package to link to (default: torch.fx). Repeatable.")
    ] = None,
    password: Annotated[str | None, typer.Option("--password", help="Password of an encrypted PDF.")] = None,
    level: Annotated[Level, typer.Option("--level", help="How much it teaches.")] = Level.engineer,
    only: Annotated[str, typer.Option("--only", help="Cards for these concepts alone: GraphModule,Proxy.")] = "",
    form: Annotated[SheetFormat, typer.Option("--format", help="What to write it as.")] = SheetFormat.markdown,
    language: Annotated[Language, typer.Option("--lang", help="Language of the sheet's own words.")] = Language.en,
) -> None:
    """Write a study sheet: the paper's words, the code, the breakpoint, and the line of your model that sets it off."""
    from fxanchor.sheet.study.make import make_sheet, previous_sheet

    request = SheetRequest(
        paper=paper,
        models=tuple(model or ()),
        packages=tuple(package or ()),
        password=password,
        level=level,
        only=tuple(name.strip() for name in only.split(",") if name.strip()),
        language=language,
        format=form,
    )
    with terminal.progress() as progress:
        text = make_sheet(request, previous=previous_sheet(output), progress=progress)
    terminal.write(text, output)
    if output is not None:
        typer.echo(f"Wrote {output}.", err=True)
