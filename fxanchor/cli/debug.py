"""`fxanchor debug`: run the capture of a model and open a debugger at the moment asked for."""

import shlex
from enum import StrEnum
from typing import Annotated

import typer

from fxanchor.cli import options, terminal
from fxanchor.errors import CaptureError


class DebuggerName(StrEnum):
    """Which debugger opens."""

    pdb = "pdb"
    ipdb = "ipdb"
    pudb = "pudb"
    debugpy = "debugpy"


def debug_command(
    model: options.Model,
    at: Annotated[
        list[str] | None,
        typer.Option(
            "--at", metavar="PLACE", help="A breakpoint's name or row number, a function, file:line, or `generated`."
        ),
    ] = None,
    node: Annotated[
        str, typer.Option("--node", metavar="NAME", help="Only for this node or module: layer1.0.conv1.")
    ] = "",
    op: Annotated[str, typer.Option("--op", metavar="OPCODE", help="Only for nodes of this opcode: call_method.")] = "",
    when: Annotated[str, typer.Option("--when", metavar="EXPR", help="Only where this Python expression holds.")] = "",
    debugger: Annotated[DebuggerName, typer.Option("--debugger", help="Which debugger opens.")] = DebuggerName.pdb,
    port: Annotated[
        int,
        typer.Option("--port", metavar="PORT", help="For debugpy: the port to listen on, 0 for any.", min=0, max=65535),
    ] = 0,
    args: options.Args = "",
    config: options.Config = "",
    inputs: options.Inputs = "",
) -> None:
    """Stand where it happens: open a debugger inside the capture of your model."""
    from fxanchor.breakpoints.debug import DebugRequest, debug_model
    from fxanchor.breakpoints.plan import Focus
    from fxanchor.breakpoints.resolved import resolve_catalogue
    from fxanchor.model.spec import parse_model
    from fxanchor.sheet.mapping import DEFAULT_PACKAGE
    from fxanchor.source.index import open_index

    request = DebugRequest(
        parse_model(model, args=args, config=config, inputs=inputs),
        at=tuple(at or ()),
        focus=Focus(node, op),
        when=when,
        debugger=debugger.value,
        port=port,
    )
    resolved = resolve_catalogue(open_index([DEFAULT_PACKAGE]))
    outcome = debug_model(request, resolved, terminal.tell)
    for note in outcome.notes:
        terminal.tell(note)
    if outcome.error:
        seen = f"See what stands in the way: fxanchor trace {shlex.quote(model)}."
        raise CaptureError(f"The run ended with {outcome.error}. {seen}")
