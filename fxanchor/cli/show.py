"""`fxanchor show`: one definition with its source, its breakpoint, and what the paper says of it."""

from typing import Annotated

import typer

from fxanchor.cli import options, terminal


def show_command(
    concept: Annotated[
        str, typer.Argument(metavar="CONCEPT", help="A name such as GraphModule.recompile.", show_default=False)
    ],
    paper: options.PaperOption = None,
    package: options.Packages = None,
    source: options.Source = None,
    password: options.Password = None,
    as_json: options.Json = False,
) -> None:
    """Show where a concept is defined, its source, the line that stops, and the paper's passages on it."""
    from fxanchor.sheet.mapping import DEFAULT_PACKAGE
    from fxanchor.sheet.show import find_shown, show_document

    with terminal.progress() as progress:
        shown = find_shown(
            concept,
            packages=package or [DEFAULT_PACKAGE],
            source_tree=source,
            paper=paper,
            password=password,
            progress=progress,
        )
    if as_json:
        terminal.write_json(show_document(shown))
        return
    from fxanchor.sheet.show_text import show_text

    terminal.write(show_text(shown, colour=terminal.in_colour()), None)
