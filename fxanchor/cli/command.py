"""A command that takes no blank for a value: it is an empty variable of a shell, and none of what it could mean."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from typer.core import TyperCommand

from fxanchor.errors import UsageError

if TYPE_CHECKING:
    from typer._click.core import Context, Parameter

# What a blank is a value of: no arguments at all, and the password of a paper that has an empty one.
_MAY_BE_BLANK = frozenset({"args", "password"})


class Command(TyperCommand):
    """A command whose arguments and options, where they are given, say something."""

    def parse_args(self, ctx: "Context", args: list[str]) -> list[str]:
        """Take the command line apart as every command does, blanks refused.

        They are looked for before values are converted: a path that is empty would become the working directory.

        Raises:
            UsageError: When a value is empty or has nothing but spaces and characters that are not seen.
        """
        given, _, _ = self.make_parser(ctx).parse_args(args=list(args))
        refuse_blanks(given, self.get_params(ctx))
        return super().parse_args(ctx, args)


def refuse_blanks(given: Mapping[str, object], parameters: "list[Parameter]") -> None:
    """Raise when a value that was given is blank.

    Args:
        given: Values as they were typed, by parameter; several of them as a sequence.
        parameters: The parameters of the command.

    Raises:
        UsageError: When one is blank.
    """
    for parameter in parameters:
        name = parameter.name or ""
        value = given.get(name)
        values = value if isinstance(value, list | tuple) else (value,)
        if name in _MAY_BE_BLANK or not any(isinstance(one, str) and not _says_something(one) for one in values):
            continue
        if parameter.param_type_name == "argument":
            raise UsageError(f"{parameter.human_readable_name} is blank; name one.")
        raise UsageError(f"{max(parameter.opts, key=len)} is blank; give it a value, or leave it out.")


def _says_something(text: str) -> bool:
    # A byte of a path in another encoding than the system's is a lone surrogate, and is something.
    return any(
        "\ud800" <= character <= "\udfff" or (character.isprintable() and not character.isspace()) for character in text
    )
