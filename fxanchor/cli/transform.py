"""`fxanchor transform`: what passes do to a model, stage by stage."""

from typing import Annotated

import typer

from fxanchor.cli import options, terminal
from fxanchor.errors import UsageError


def transform_command(
    model: options.Model,
    passes: Annotated[
        list[str] | None,
        typer.Option(
            "--pass",
            metavar="PASS",
            help="file.py:Name of a Transformer, function, class or pair. Repeatable, in order.",
        ),
    ] = None,
    matches: Annotated[
        str,
        typer.Option(
            "--matches", metavar="PATTERN", help="Show what a target (torch.add) or file.py:predicate takes and misses."
        ),
    ] = "",
    args: options.Args = "",
    config: options.Config = "",
    inputs: options.Inputs = "",
    tolerance: Annotated[
        float,
        typer.Option(
            "--tolerance", metavar="NUMBER", help="Difference allowed of results.", min=0, callback=options.a_number
        ),
    ] = 1e-5,
    print_code: Annotated[bool, typer.Option("--print", help="Print the code, your lines as comments.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="End with 1 when a stage breaks, or lint or results are not right.")
    ] = False,
    seconds: options.Seconds = 300,
    as_json: options.Json = False,
) -> None:
    """Run passes on a captured model and show what each did."""
    from fxanchor.labs.transform.run import transform_model
    from fxanchor.model.spec import parse_model

    if not passes and not matches and not print_code:
        raise UsageError("Nothing to do; give --pass passes.py:Name, --matches or --print.")
    spec = parse_model(model, args=args, config=config, inputs=inputs)
    with terminal.progress() as progress:
        report = transform_model(
            spec, passes or [], matches=matches, tolerance=tolerance, seconds=seconds, progress=progress
        )
    from fxanchor.sheet.transform_text import broken, transform_parts

    if as_json:
        from fxanchor.sheet.lab_json import transform_document

        terminal.write_json(transform_document(report))
    else:
        terminal.show_parts(transform_parts(report, with_code=print_code, narrow=terminal.is_narrow()))
        if matches and not report.matches:
            from fxanchor.sheet.escape import shortened

            sought = shortened(matches, 100)
            terminal.show_parts(
                [f"No node of this model is {sought}, nor is one near it; fxanchor trace lists the targets."]
            )
    if strict and broken(report):
        raise typer.Exit(1)
