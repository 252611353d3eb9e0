"""A command whose values are said once, and are text that says something: a blank is an empty variable of a shell."""

import os
import sys
from collections import Counter
from typing import TYPE_CHECKING

from typer import Exit
from typer.core import TyperCommand, TyperOption
from typer.models import TyperPath

from fxanchor.errors import UsageError

if TYPE_CHECKING:
    from typer._click.core import Context, Parameter

# What names a file and may name something else too, so that it is no path to the command line.
_FILES = frozenset({"paper", "model", "passes", "matches"})
# What a blank is a value of: no arguments at all, and the password of a paper that has an empty one.
_MAY_BE_BLANK = frozenset({"args", "password"})


class Command(TyperCommand):
    """A command whose arguments and options, where they are given, say one thing."""

    def parse_args(self, ctx: "Context", args: list[str]) -> list[str]:
        """Take the command line apart as every command does, values refused that are no text.

        They are looked at before they are converted: a path that is empty would become the working directory.

        Raises:
            UsageError: When a value is empty, or has nothing but spaces and characters that are not seen, or is not in
                the encoding of the system and names no file; when an option that takes one value is given twice.
        """
        given, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for parameter, times in Counter(order).items():
            if times > 1 and isinstance(parameter, TyperOption) and not (parameter.multiple or parameter.is_eager):
                raise UsageError(f"{_name(parameter)} is given more than once; give it once.")
        for parameter in self.get_params(ctx):
            value = given.get(parameter.name or "")
            for each in value if isinstance(value, list | tuple) else (value,):
                if isinstance(each, str):
                    _look_at(each, parameter)
            # What opens a file says in one sentence why it cannot, with the exit code for that.
            if isinstance(parameter.type, TyperPath):
                parameter.type.readable = False
        return super().parse_args(ctx, args)

    def invoke(self, ctx: "Context") -> None:
        """Run the command; where the reader of its output (head, less) has gone, that is its end and not an error."""
        ended: Exit | None = None
        try:
            try:
                super().invoke(ctx)
            except Exit as error:
                ended = error
            # Not left to the end of the process, where nobody could tell what went wrong.
            sys.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if ended is not None:
            raise ended


def _name(parameter: "Parameter") -> str:
    is_argument = parameter.param_type_name == "argument"
    return parameter.human_readable_name.upper() if is_argument else max(parameter.opts, key=len)


def _look_at(value: str, parameter: "Parameter") -> None:
    is_argument = parameter.param_type_name == "argument"
    name = _name(parameter)
    if parameter.name not in _MAY_BE_BLANK and not _says_something(value):
        raise UsageError(f"{name} is blank; " + ("name one." if is_argument else "give it a value, or leave it out."))
    names_a_file = parameter.name in _FILES or isinstance(parameter.type, TyperPath)
    if not names_a_file and is_foreign(value):
        raise UsageError(f"{name} is not text in the encoding of this system; type it anew.")


def is_foreign(text: str) -> bool:
    """Tell whether a character of a text stands for a byte that could not be decoded; file names may hold them."""
    return any("\ud800" <= each <= "\udfff" for each in text)


def _says_something(text: str) -> bool:
    return any(is_foreign(each) or (each.isprintable() and not each.isspace()) for each in text)
