"""`fxanchor map`: concepts of a paper, their definitions in the installed source, and where to break."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from fxanchor.cli import options, outputs, terminal


class Format(StrEnum):
    """How to print what was found."""

    table = "table"
    markdown = "markdown"
    json = "json"


_ENDINGS: dict[str, tuple[str, ...]] = {
    Format.table: (),
    Format.markdown: (".md", ".markdown"),
    Format.json: (".json",),
}


def map_command(
    paper: options.Paper,
    keyword: Annotated[
        list[str] | None,
        typer.Option(
            "--keyword", "-k", metavar="NAME", help="List every hit of this name, linked or refused. Repeatable."
        ),
    ] = None,
    package: options.Packages = None,
    source: options.Source = None,
    password: options.Password = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Show refused, missing and outside names too, with the reason.")
    ] = False,
    claims: Annotated[
        bool, typer.Option("--claims", help="Show what the paper claims, and which definitions must make it true.")
    ] = False,
    annotate: Annotated[
        Path | None,
        typer.Option(
            "--annotate",
            metavar="FILE",
            help="Write a copy of the PDF with mentions highlighted and, with --claims, claims underlined.",
        ),
    ] = None,
    style: Annotated[
        Format | None, typer.Option("--format", help="How to print (default: table, or as -o ends).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to this file.")] = None,
) -> None:
    """Find the concepts of a paper and tie each to its definition and a line that stops."""
    from fxanchor.sheet.mapping import DEFAULT_PACKAGE, map_paper

    terminal.refuse_overwriting(output, paper)
    form = outputs.choose_form(output, outputs.refuse_both(as_json, style), Format.table, _ENDINGS)
    outputs.require_ending(annotate, "--annotate", "a PDF", ".pdf")
    with terminal.progress() as progress:
        mapped = map_paper(
            paper,
            packages=package or [DEFAULT_PACKAGE],
            source_tree=source,
            keywords=keyword or [],
            password=password,
            progress=progress,
        )
    if annotate is not None:
        from fxanchor.sheet.highlights import highlight

        count = highlight(mapped, annotate, everything=everything, with_claims=claims, password=password)
        terminal.tell(f"Wrote {annotate} with {count} highlights{' and the claims underlined' if claims else ''}.")
    if form == Format.json:
        from fxanchor.sheet.map_json import map_document

        terminal.write_json(map_document(mapped, with_claims=claims), output)
        return
    if claims:
        from fxanchor.sheet.claims_text import claims_markdown, claims_of, claims_text

        found = claims_of(mapped)
        if form == Format.markdown:
            terminal.write(claims_markdown(found), output)
        else:
            terminal.show_parts([claims_text(found)], output)
        return
    from fxanchor.sheet.map_table import map_heading, map_table

    terminal.show(
        map_heading(mapped),
        map_table(mapped, everything=everything, narrow=terminal.is_narrow()),
        output,
        form == Format.markdown,
    )
