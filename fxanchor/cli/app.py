"""The command line as a whole: which commands there are, and how an error becomes one sentence and an exit code."""

import errno
import io
import os
import sys
from typing import Annotated, NoReturn

import typer

from fxanchor import __version__
from fxanchor.cli import check, debug, lab, sheet, show, trace, transform
from fxanchor.cli import map as map_command
from fxanchor.cli.command import Command
from fxanchor.errors import FxanchorError, InputError, UsageError

# What the command line library ends with when Ctrl-C was pressed.
_INTERRUPTED = 130
# A sentence may quote what was typed; no name, path or expression that anybody types is as long as a word may be.
_LONGEST = 1200
_LONGEST_WORD = 10_000
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

app = typer.Typer(
    name="fxanchor",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Tie what a paper says to the installed source that does it, and to breakpoints proven on your model.",
)
app.command("map", cls=Command)(map_command.map_command)
app.command("trace", cls=Command)(trace.trace_command)
app.command("debug", cls=Command)(debug.debug_command)
app.command("sheet", cls=Command)(sheet.sheet_command)
app.command("check", cls=Command)(check.check_command)
app.command("show", cls=Command)(show.show_command)
app.add_typer(lab.app, name="lab")
app.command("transform", cls=Command)(transform.transform_command)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"fxanchor {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
    traceback: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
) -> None:
    if traceback:
        os.environ["FXANCHOR_DEBUG"] = "1"


def run() -> None:
    """Run the command named by `sys.argv`, and end the process with the exit code of what became of it.

    Raises:
        SystemExit: Always; 0 done, 1 found what it was asked to flag, 2 usage, 3 input unreadable, 4 not captured,
            130 interrupted.
    """
    _open_what_is_closed()
    # A terminal of few letters, such as LANG=C, shows the others as escapes; it is no reason to end in a traceback.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        _refuse_long_words()
        app()
    except FxanchorError as error:
        _end(str(error), error.exit_code)
    except OSError as error:
        reason = error.strerror or error
        if error.filename is None and error.errno in _NO_ROOM:
            _end(f"The output cannot be written ({reason}). Make room, or write elsewhere.", InputError.exit_code)
        _end(f"{error.filename or 'A file'}: {reason}. Check the path.", InputError.exit_code)
    except SystemExit as ended:
        if ended.code == _INTERRUPTED:
            _say("Interrupted.")
        raise
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
        _end(f"A fault of fxanchor itself ({fault}). `fxanchor --debug ...` shows where; please report it.", 1)


def _open_what_is_closed() -> None:
    """Give a process that was started without standard streams empty ones, lest a file of ours takes their numbers."""
    for number, (name, mode) in enumerate([("stdin", "r"), ("stdout", "w"), ("stderr", "w")]):
        try:
            os.fstat(number)
        except OSError:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def _refuse_long_words() -> None:
    for word in sys.argv[1:]:
        if len(word) > _LONGEST_WORD:
            raise UsageError(f"{word} has {len(word)} characters, and at most {_LONGEST_WORD} are read; shorten it.")


def _end(sentence: str, code: int) -> NoReturn:
    """Say what is wrong and leave; with `--debug`, show the traceback instead."""
    if os.environ.get("FXANCHOR_DEBUG"):
        raise  # noqa: PLE0704 - called while the error is handled
    _say(sentence)
    sys.exit(code)


def _say(sentence: str) -> None:
    from fxanchor.sheet.escape import said

    typer.echo(f"fxanchor: {said(sentence, _LONGEST)}", err=True)
