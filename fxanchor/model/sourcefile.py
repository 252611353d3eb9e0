"""Read the source of a model file, or say in one sentence why it cannot be read."""

import ast
import io
import tokenize
from dataclasses import dataclass
from pathlib import Path

from fxanchor.errors import InputError
from fxanchor.model.notebook import notebook_source
from fxanchor.model.plain import one_line
from fxanchor.model.spec import suggest
from fxanchor.model.syntax import parse_source

_MOST_BYTES = 20 * 2**20


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A model file that parses.

    Attributes:
        path: Absolute path.
        shown: How it was given.
        text: Python source; for a notebook its code cells, one after another.
        tree: The parsed text.
        notes: What is to be known about the text, one sentence each.
    """

    path: Path
    shown: str
    text: str
    tree: ast.Module
    notes: tuple[str, ...] = ()


def read_source(path: Path, shown: str) -> SourceFile:
    """Read and parse a `.py` or `.ipynb` file.

    Args:
        path: The file.
        shown: How to name it in errors.

    Raises:
        InputError: When it is missing, a directory, empty, too large, not text, or not Python.
    """
    shown = one_line(shown)
    data = _read(path, shown)
    if not data.strip():
        raise InputError(f"{shown} is empty; name a file that defines a model.")
    if path.suffix != ".ipynb":
        text = _decode(data, shown)
        return SourceFile(path.resolve(), shown, text, parse(text, shown))
    text, skipped = notebook_source(data, shown)
    notes = [f"Lines of {shown} are counted through its code cells."]
    if skipped:
        notes.append(f"Code cells that are not Python were left out: {', '.join(map(str, skipped))}.")
    return SourceFile(path.resolve(), shown, text, parse(text, shown), tuple(notes))


def parse(text: str, shown: str) -> ast.Module:
    """Parse Python source.

    Args:
        text: The source.
        shown: How to name it in errors.

    Raises:
        InputError: When it is not Python, with line and column.
    """
    try:
        return parse_source(text)
    except SyntaxError as error:
        place = f"{shown}:{error.lineno}:{max(0, (error.offset or 1) - 1)}" if error.lineno else shown
        raise InputError(f"{place} is not valid Python ({one_line(error.msg)}); correct it and run again.") from None
    except (ValueError, RecursionError, MemoryError) as error:
        reason = "it is nested too deeply" if not isinstance(error, ValueError) else one_line(str(error))
        raise InputError(f"{shown} cannot be parsed: {reason}; name another file.") from None


def _read(path: Path, shown: str) -> bytes:
    try:
        if path.is_dir():
            raise InputError(f"{shown} is a directory; name a Python file in it.")
        if not path.exists():
            beside = path.parent.iterdir() if path.parent.is_dir() else ()
            near = [entry.name for entry in beside if entry.suffix in {".py", ".ipynb"} and entry.exists()]
            raise InputError(f"{shown} does not exist{suggest(path.name, near)}; check the path.")
        if not path.is_file():
            raise InputError(f"{shown} is not a regular file; name a Python file.")
        if path.stat().st_size > _MOST_BYTES:
            raise InputError(f"{shown} is larger than {_MOST_BYTES // 2**20} MiB; name a file of source code.")
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{shown} cannot be read ({error.strerror}); check its permissions.") from None
    except ValueError:
        raise InputError(f"{shown} is no possible path; check it.") from None


def _decode(data: bytes, shown: str) -> str:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        raise InputError(
            f"{shown} is not a text file in UTF-8 or in the encoding it declares; name a .py file."
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")
