"""Say in one line what was raised, also when the exception cannot be printed."""

import traceback
from pathlib import Path

from fxanchor.model.plain import one_line


def describe(error: BaseException) -> str:
    """Return kind, message and place of an exception on one line.

    Args:
        error: The exception; its `__str__` may raise.
    """
    message = message_of(error)
    place = _place(error)
    return f"{type(error).__name__}{': ' + message if message else ''}{place}"


def message_of(error: BaseException) -> str:
    """Return the message of an exception on one line, "" when it cannot be had.

    Args:
        error: The exception.
    """
    try:
        return one_line(str(error), 200)
    except BaseException:
        return ""


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
