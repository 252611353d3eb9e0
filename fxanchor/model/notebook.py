"""The Python source in a notebook: its code cells, without what only IPython understands."""

import json
import re
from collections.abc import Iterator
from typing import Any

from fxanchor.errors import InputError
from fxanchor.model.syntax import parse_source

# Cell magics whose cell is still Python; the cells of others (`%%bash`, `%%html`) are something else.
_PYTHON_CELLS = frozenset({"%%time", "%%timeit", "%%capture", "%%prun", "%%python", "%%python3"})
_COMMAND = re.compile(r"\s*(?:[%!]|[^\W\d]\w*(?:\s*,\s*\w+)*\s*=\s*[%!]|\?|.*[\w)]\?{1,2}\s*$)")


def notebook_source(data: bytes, shown: str) -> tuple[str, tuple[int, ...]]:
    """Return the code cells as one Python text, and the numbers of those that are no Python and became comments.

    Magics and shell lines become `pass`. Cells are counted from 1, without those that hold no code.

    Args:
        data: The `.ipynb` file.
        shown: How to name it in errors.

    Raises:
        InputError: When it is not a notebook or has no code.
    """
    try:
        notebook = json.loads(data)
        cells = list(_code_cells(notebook))
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        raise InputError(f"{shown} is not a Jupyter notebook; name a .ipynb file that Jupyter opens.") from None
    if not any(cell.strip() for cell in cells):
        raise InputError(f"{shown} has no code cells; name a notebook that defines a model.")
    cleaned = [clean_cell(cell) for cell in cells]
    text = "\n".join(f"# cell {number}\n{cell}\n" for number, cell in enumerate(cleaned, 1))
    return text, tuple(
        number for number, cell in enumerate(cleaned, 1) if _is_comment(cell) and cells[number - 1].strip()
    )


def clean_cell(cell: str) -> str:
    """Return a cell as Python, with as many lines as it had; lines are commented out when it is none.

    Args:
        cell: Source of a code cell.
    """
    lines = cell.splitlines()
    first = next((line.split()[0] for line in lines if line.strip()), "")
    if first.startswith("%%") and first not in _PYTHON_CELLS:
        return _commented(lines)
    if _parses(cell):
        return cell
    text = "\n".join(_indent(line) + "pass  # " + line.strip() if _COMMAND.match(line) else line for line in lines)
    return text if _parses(text) else _commented(lines)


def _code_cells(notebook: dict[str, Any]) -> Iterator[str]:
    sheets = notebook.get("worksheets")
    groups = [sheet["cells"] for sheet in sheets] if isinstance(sheets, list) else [notebook["cells"]]
    for group in groups:
        for cell in group:
            if cell.get("cell_type") == "code":
                source = cell.get("source", cell.get("input", ""))
                yield source if isinstance(source, str) else "".join(source)


def _parses(text: str) -> bool:
    try:
        parse_source(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _is_comment(cell: str) -> bool:
    return all(not line.strip() or line.startswith("#") for line in cell.splitlines())


def _commented(lines: list[str]) -> str:
    return "\n".join(f"# {line}" for line in lines)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
