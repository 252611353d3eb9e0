"""Arguments and options that several commands share, so that they read and work the same everywhere."""

import math
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from fxanchor.errors import UsageError


def a_number(value: float) -> float:
    """Return a value of an option, when it can be compared with anything.

    Raises:
        UsageError: When it is `nan`.
    """
    if math.isnan(value):
        raise UsageError("nan is no number that anything can be compared with; give another.")
    return value


Paper = Annotated[
    str, typer.Argument(metavar="PAPER", help="A PDF file, arxiv:ID, or an http(s) URL.", show_default=False)
]
PaperOption = Annotated[str | None, typer.Option("--paper", metavar="PAPER", help="Add where this paper speaks of it.")]
Password = Annotated[str | None, typer.Option("--password", metavar="TEXT", help="Password of an encrypted PDF.")]
Packages = Annotated[
    list[str] | None,
    typer.Option("--package", metavar="NAME", help="Package to link to (default: torch.fx). Repeatable."),
]
Source = Annotated[
    Path | None,
    typer.Option("--source", metavar="PATH", help="A directory, wheel or sdist instead of the installed package."),
]
Model = Annotated[
    str,
    typer.Argument(
        metavar="MODEL",
        help="file.py, file.py:Name, file.py:build(8), notebook.ipynb:Name, or package.module:Name.",
        show_default=False,
    ),
]
Args = Annotated[
    str, typer.Option("--args", metavar="TEXT", help='Arguments of the model\'s constructor: "hidden=64, depth=2".')
]
Config = Annotated[str, typer.Option("--config", metavar="NAME", help="Configuration class or object to build with.")]
Inputs = Annotated[
    str,
    typer.Option("--input", metavar="TEXT", help='Example inputs: "1x3x224x224", "int64[2,16]<50257", or a function.'),
]
Seconds = Annotated[
    float,
    typer.Option(
        "--timeout",
        metavar="SECONDS",
        help="Most seconds that the child process may run.",
        min=1,
        callback=a_number,
    ),
]
Network = Annotated[bool, typer.Option("--allow-network", help="Let the model open connections.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


class EditorName(StrEnum):
    """The program that links to source lines open in."""

    file = "file"
    vscode = "vscode"
    idea = "idea"
    none = "none"


Editor = Annotated[EditorName, typer.Option("--editor-url", help="Program that links open in.")]
