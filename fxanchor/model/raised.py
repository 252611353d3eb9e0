"""Say what was raised and what a value is, also when the user's object cannot be printed."""

import traceback
from pathlib import Path

from fxanchor.model.plain import one_line

# Characters kept of a message.
_LONGEST = 300


def describe(error: BaseException) -> str:
    """Return kind, message and place of an exception on one line.

    Args:
        error: The exception; its `__str__` may raise.
    """
    return summary(error) + _place(error)


def summary(error: BaseException) -> str:
    """Return kind and message of an exception on one line.

    Args:
        error: The exception; its `__str__` may raise.
    """
    message = message_of(error)
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def message_of(error: BaseException) -> str:
    """Return the message of an exception on one line, "" when it cannot be had.

    That is its first line, with the next one where the first ends in a colon and so only announces it.

    Args:
        error: The exception.
    """
    lines = [line.strip() for line in text_of(error)[: 16 * _LONGEST].splitlines() if line.strip()]
    end = next((number for number, line in enumerate(lines, 1) if not line.endswith(":")), len(lines))
    return one_line(" ".join(lines[:end]), _LONGEST)


def text_of(value: object) -> str:
    """Return the text of a value of the user's, "" when it cannot be had.

    Args:
        value: An exception or anything else; its `__str__` may raise, or return what is no text.
    """
    try:
        return str(value)
    except BaseException:
        return ""


def repr_of(value: object) -> str:
    """Return how a value of the user's is written in code, or its class when it cannot say.

    Args:
        value: Anything; its `__repr__` may raise, or return what is no text.
    """
    try:
        return repr(value)
    except BaseException:
        return f"<{type(value).__name__}>"


def exit_call(error: SystemExit) -> str:
    """Return the call that raised a `SystemExit`, as in `sys.exit(2)`.

    Args:
        error: The exception; its code may be any object.
    """
    code = error.code
    return f"sys.exit({one_line(repr(code), 80) if code is None or type(code) in (int, str) else '...'})"


def _place(error: BaseException) -> str:
    if isinstance(error, SyntaxError) and error.filename:
        return f" at {Path(error.filename).name}:{error.lineno}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(("/", "\\"))]
    # Where the walk through fxanchor itself ends and the model's code begins is what the user can act on.
    own = str(Path(__file__).parents[1])
    frames = [frame for frame in frames if not frame.filename.startswith(own)]
    return f" at {one_line(Path(frames[-1].filename).name)}:{frames[-1].lineno}" if frames else ""
