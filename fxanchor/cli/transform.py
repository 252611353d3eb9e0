"""`fxanchor transform`: what passes do to a model, stage by stage."""

import json
from typing import Annotated

import typer

from fxanchor.cli import terminal
from fxanchor.errors import UsageError


def transform_command(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="The model, as for trace: file.py:Name.", show_default=False)
    ],
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
    args: Annotated[
        str, typer.Option("--args", metavar="TEXT", help='Arguments of the constructor: "hidden=64, depth=2".')
    ] = "",
    config: Annotated[
        str, typer.Option("--config", metavar="NAME", help="Configuration class or object to build with.")
    ] = "",
    inputs: Annotated[
        str, typer.Option("--input", metavar="TEXT", help='Inputs to compare results on: "1x3x224x224".')
    ] = "",
    tolerance: Annotated[
        float, typer.Option("--tolerance", metavar="NUMBER", help="Difference allowed of results.", min=0)
    ] = 1e-5,
    print_code: Annotated[bool, typer.Option("--print", help="Print the code, your lines as comments.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="End with 1 when a stage breaks, or lint or results are not right.")
    ] = False,
    seconds: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", help="Most seconds that it may run.", min=1)
    ] = 300,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
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

        terminal.write(json.dumps(transform_document(report), indent=1, ensure_ascii=False), None)
    else:
        terminal.show_parts(transform_parts(report, with_code=print_code))
    if strict and broken(report):
        raise typer.Exit(1)
