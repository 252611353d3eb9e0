"""`fxanchor check`: what a text says about the source and the paper, each statement with a verdict."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from fxanchor.cli import options, outputs, terminal
from fxanchor.errors import UsageError


class Format(StrEnum):
    """How to print the verdicts."""

    text = "text"
    json = "json"
    github = "github"
    sarif = "sarif"


_ENDINGS: dict[str, tuple[str, ...]] = {
    Format.text: (),
    Format.json: (".json",),
    Format.github: (),
    Format.sarif: (".sarif", ".json"),
}


def check_command(
    files: Annotated[
        list[Path], typer.Argument(help="Texts: .md, .txt, .rst, .html, .ipynb or .pdf.", show_default=False)
    ],
    paper: Annotated[
        str | None, typer.Option("--paper", help="The paper that they speak of: a PDF, arxiv:ID, or a URL.")
    ] = None,
    package: options.Packages = None,
    source: options.Source = None,
    password: options.Password = None,
    run: Annotated[bool, typer.Option("--run", help="Run the code blocks too: code from the texts.")] = False,
    seconds: options.Seconds = 60,
    fix: Annotated[
        bool, typer.Option("--fix", help="Print a patch for line citations that moved, nothing else.")
    ] = False,
    update: Annotated[
        bool, typer.Option("--update", help="Make the study sheets among them again; your notes are kept.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="List what is right or cannot be told too.")] = False,
    style: Annotated[
        Format | None, typer.Option("--format", help="How to print (default: text, or as -o ends).")
    ] = None,
    as_json: options.Json = False,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file.")] = None,
) -> None:
    """Check what texts say about the source and the paper; end with 1 when something is wrong or has moved."""
    from fxanchor.sheet.check_files import check_files

    chosen = outputs.refuse_both(as_json, style)
    if fix and chosen is not None:
        raise UsageError("--fix prints a patch; leave --format and --json out.")
    form = "patch" if fix else outputs.choose_form(output, chosen, Format.text, _ENDINGS)
    if fix:
        outputs.require_ending(output, "--fix", "a patch", ".patch", ".diff", ".txt", "")
    for file in files:
        terminal.refuse_overwriting(output, str(file))
    with terminal.progress() as progress:
        checked = check_files(
            files,
            paper=paper,
            packages=package or [],
            source_tree=source,
            password=password,
            run=run,
            seconds=seconds,
            progress=progress,
        )
    if form == "patch":
        from fxanchor.checking.fixes import line_fixes

        text = "".join(line_fixes(one) for one in checked)
    elif form == Format.json:
        from fxanchor.sheet.check_json import check_document

        terminal.write_json(check_document(checked), output)
        text = ""
    elif form == Format.sarif:
        from fxanchor.sheet.check_sarif import check_sarif

        terminal.write_json(check_sarif(checked), output)
        text = ""
    elif form == Format.github:
        from fxanchor.sheet.check_text import github_annotations

        text = github_annotations(checked)
    else:
        from fxanchor.sheet.check_text import check_text

        text = check_text(checked, everything=everything)
    if text:
        terminal.write(text, output)
    if update:
        _update(files, password)
        return
    if any(reference.verdict in ("wrong", "moved") for one in checked for reference in one.references):
        raise typer.Exit(1)


def _update(files: list[Path], password: str | None) -> None:
    """Make sheets again in their place, of what their front matter says that they were made of."""
    from fxanchor.sheet.study.again import make_again

    with terminal.progress() as progress:
        for file in files:
            written = make_again(file, password=password, progress=progress)
            terminal.tell(f"Wrote {written}.")
