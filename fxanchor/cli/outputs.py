"""Which form a file is written in: by the ending of its name, never in another one than the name says."""

from collections.abc import Mapping
from pathlib import Path

from fxanchor.errors import UsageError

# Every form is text, and a name without an ending, such as /dev/stdout, promises nothing.
_PROMISES_NOTHING = ("", ".txt")


def choose_form(output: Path | None, chosen: str | None, default: str, endings: Mapping[str, tuple[str, ...]]) -> str:
    """Return the form to write: the one that was chosen, or that the name of the file ends in.

    Args:
        output: The file to write, or None for standard output.
        chosen: The form that was asked for in words, or None.
        default: The form when neither says one.
        endings: For each form the endings of its files, in lower case, the usual one first.

    Raises:
        UsageError: When the file is named as something that is not written.
    """
    ending = output.suffix.lower() if output is not None else ""
    if ending in _PROMISES_NOTHING:
        return chosen or default
    fit = [form for form, own in endings.items() if ending in own and chosen in (form, None)]
    if fit:
        return fit[0]
    wanted = [f"{own[0]} ({form})" for form, own in endings.items() if own and chosen in (form, None)]
    raise UsageError(f"Nothing is written as {ending}; name a file that ends in {_listed([*wanted, '.txt'])}.")


def require_ending(output: Path | None, option: str, what: str, *endings: str) -> None:
    """Raise when a file of one form alone is named as something else.

    Args:
        output: The file to write, or None.
        option: The option that names it.
        what: What is written, with its article.
        endings: What its name may end in, in lower case.

    Raises:
        UsageError: When its name ends in something else.
    """
    if output is not None and output.suffix.lower() not in endings:
        shown = _listed([ending for ending in endings if ending])
        raise UsageError(f"{option} writes {what}; name a file that ends in {shown}, not {output.name}.")


def refuse_both(as_json: bool, chosen: str | None) -> str | None:
    """Return the form chosen by --json or --format.

    Args:
        as_json: Whether --json was given.
        chosen: What --format was given, or None.

    Raises:
        UsageError: When they name two.
    """
    if as_json and chosen not in (None, "json"):
        raise UsageError(f"--json and --format {chosen} name two forms; leave one out.")
    return "json" if as_json else chosen


def _listed(words: list[str]) -> str:
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
