"""A line of any file as a stop: which function it belongs to, and whether a debugger can stop there at all."""

import warnings
from collections.abc import Iterator
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType

from fxanchor.errors import InputError, UsageError
from fxanchor.source.definition import Stop


def stop_at(path: Path, line: int, shown: str) -> Stop:
    """Return the stop of a line.

    Args:
        path: A Python file.
        line: 1-based line.
        shown: How to name the file.

    Returns:
        A stop whose `file` is the absolute path.

    Raises:
        InputError: When the file cannot be read or is not Python.
        UsageError: When no call can stop on this line; the sentence names the next line that does.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    except OSError as error:
        raise InputError(f"{shown} cannot be read ({error.strerror}); check the path.") from None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(f"{shown} is not Python that this interpreter can read; name another file.") from None
    stoppable: dict[int, CodeType] = {}
    for code in _functions(module):
        for number in lines_of(code):
            # A function comes before those nested in it: of a line that both have, the outer one is meant.
            stoppable.setdefault(number, code)
    if line not in stoppable:
        later = min((number for number in stoppable if number > line), default=0)
        hint = f"; the next line that does is {later}" if later else ""
        raise UsageError(f"{shown}:{line} never stops a call{hint}. Name a line inside a function that runs.")
    code = stoppable[line]
    return Stop(code.co_qualname, str(path.resolve()), line, code.co_firstlineno)


def lines_of(code: CodeType) -> frozenset[int]:
    """Return the lines of a function that a call reports: those with bytecode, without the line of the `def` itself."""
    lines = {line for _, _, line in code.co_lines() if line is not None}
    return frozenset(lines if len(lines) == 1 else lines - {code.co_firstlineno})


def _functions(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            # The body of a class is code too, and runs once, where the class is defined.
            if constant.co_flags & CO_OPTIMIZED:
                yield constant
            yield from _functions(constant)
