"""`fxanchor lab`: statements tried as experiments on the installed torch, and the paper's own listings."""

from typing import Annotated

import typer

from fxanchor.cli import options, terminal
from fxanchor.cli.command import Command
from fxanchor.errors import UsageError

app = typer.Typer(no_args_is_help=True, help="Try statements, and a paper's own listings, on the installed torch.")


@app.command("list", cls=Command)
def list_command(as_json: options.Json = False) -> None:
    """List all labs: the statement, who makes it, and its verdict."""
    from fxanchor.labs.shelf import all_labs

    if as_json:
        from fxanchor.sheet.lab_json import labs_document

        terminal.write_json(labs_document(all_labs(), {}))
        return
    from fxanchor.sheet.lab_text import list_table

    terminal.show_parts([list_table(all_labs(), narrow=terminal.is_narrow())])


@app.command("show", cls=Command)
def show_command(
    name: Annotated[str, typer.Argument(help="Name of a lab, as listed.", show_default=False)],
    as_json: options.Json = False,
) -> None:
    """Show one lab: statement, meaning, code, and the line at which to watch it."""
    from fxanchor.labs.shelf import find_labs
    from fxanchor.labs.stops import stops_of

    labs = find_labs([name])
    with terminal.progress() as progress:
        stops = stops_of(labs, progress=progress)
    if as_json:
        from fxanchor.sheet.lab_json import labs_document

        terminal.write_json(labs_document(labs, stops))
        return
    from fxanchor.sheet.lab_text import lab_text

    terminal.show_parts(lab_text(labs[0], stops))


@app.command("run", cls=Command)
def run_command(
    names: Annotated[list[str] | None, typer.Argument(help="Names of labs.", show_default=False)] = None,
    everything: Annotated[bool, typer.Option("--all", help="Run every lab but the slow ones.")] = False,
    script: Annotated[bool, typer.Option("--script", help="Print the lab as a file that runs alone.")] = False,
    model: Annotated[
        str, typer.Option("--model", metavar="MODEL", help="Your model, as for trace: file.py:Name.")
    ] = "",
    args: options.Args = "",
    inputs: options.Inputs = "",
    strict: Annotated[bool, typer.Option("--strict", help="End with 1 when a verdict is not the known one.")] = False,
    seconds: options.Seconds = 300,
    as_json: options.Json = False,
) -> None:
    """Run labs and say what was seen, with the verdict."""
    from fxanchor.labs.shelf import all_labs, find_labs

    if bool(names) == everything:
        raise UsageError("Name the labs to run, or give --all; fxanchor lab list shows them.")
    labs = find_labs(names) if names else tuple(lab for lab in all_labs() if not lab.slow)
    if script:
        from fxanchor.labs.script import script_of

        if len(labs) != 1:
            raise UsageError("--script prints one lab; name one.")
        terminal.write(script_of(labs[0]), None)
        return
    from fxanchor.labs.run import run_labs
    from fxanchor.labs.stops import stops_of
    from fxanchor.model.spec import parse_model

    if not model and (args or inputs):
        raise UsageError("--args and --input are for a model; name yours with --model.")
    spec = parse_model(model, args=args, inputs=inputs) if model else None
    with terminal.progress() as progress:
        results = run_labs(labs, model=spec, seconds=seconds, progress=progress)
        stops = stops_of(labs, progress=progress)
    if as_json:
        from fxanchor.sheet.lab_json import results_document

        terminal.write_json(results_document(results, stops))
    else:
        from fxanchor.sheet.lab_text import result_text

        terminal.show_parts(result_text(results, stops, narrow=terminal.is_narrow()))
    if strict and any(result.verdict != result.lab.verdict for result in results):
        raise typer.Exit(1)


@app.command("paper", cls=Command)
def paper_command(
    paper: options.Paper,
    run: Annotated[bool, typer.Option("--run", help="Run the listings: code from the paper.")] = False,
    password: options.Password = None,
    seconds: options.Seconds = 60,
    as_json: options.Json = False,
) -> None:
    """Take the listings out of a paper, run them when told to, and compare what they print."""
    from fxanchor.labs.listings.run import try_listings
    from fxanchor.paper.fetch import locate_paper
    from fxanchor.paper.read import read_paper
    from fxanchor.source.locate import find_package

    with terminal.progress() as progress:
        read = read_paper(locate_paper(paper, progress=progress), password=password, progress=progress)
        results = try_listings(read, run=run, seconds=seconds, progress=progress)
    torch = find_package("torch").version.partition("+")[0] if run else ""
    if as_json:
        from fxanchor.sheet.lab_json import listings_document

        terminal.write_json(listings_document(results, torch))
        return
    from fxanchor.sheet.listing_text import listing_text

    terminal.show_parts(listing_text(results, torch))
