"""Find the labs and read what their files say of themselves, without running them."""

import ast
import difflib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from fxanchor.errors import UsageError
from fxanchor.labs.lab import VERDICTS, Lab

_FOLDER = Path(__file__).parent / "experiments"
_REQUIRED = {"statement": str, "said_by": str, "verdict": str, "seen_on": tuple, "meaning": str, "break_at": tuple}
_OPTIONAL = {"changed": str, "needs": tuple, "slow": bool}


@cache
def all_labs() -> tuple[Lab, ...]:
    """Return every lab, by name.

    Raises:
        ValueError: When a file of the folder does not describe a lab.
    """
    files = sorted(file for file in _FOLDER.glob("*.py") if file.name != "__init__.py")
    return tuple(read_lab(file) for file in files)


def find_labs(names: Sequence[str]) -> tuple[Lab, ...]:
    """Return the labs of these names, in this order, each once; hyphens and underscores are the same.

    Raises:
        UsageError: When there is no lab of a name.
    """
    known = {lab.name: lab for lab in all_labs()}
    found: dict[str, Lab] = {}
    for name in names:
        wanted = name.strip().lower().replace("_", "-")
        if wanted not in known:
            near = difflib.get_close_matches(wanted, known, 1)
            hint = f"did you mean {near[0]}?" if near else "fxanchor lab list shows them all."
            raise UsageError(f"There is no lab {name!r}; {hint}")
        found[wanted] = known[wanted]
    return tuple(found.values())


def read_lab(file: Path) -> Lab:
    """Read a lab file: its docstring, the literal `LAB`, and what `experiment` takes.

    Args:
        file: The Python file.

    Raises:
        ValueError: When something is missing in it, or has another type.
    """
    code = file.read_text(encoding="utf-8")
    tree = ast.parse(code)
    fields = _fields(tree, file.name)
    parameters = _parameters(tree, file.name)
    return Lab(
        name=file.stem.replace("_", "-"),
        title=(ast.get_docstring(tree) or "").partition("\n")[0].rstrip("."),
        code=code,
        uses_model=bool(parameters),
        **fields,
    )


def _fields(tree: ast.Module, name: str) -> dict[str, Any]:
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="LAB")], value=value):
                fields = ast.literal_eval(value)
                break
    else:
        raise ValueError(f"{name} assigns no LAB")
    allowed = _REQUIRED | _OPTIONAL
    missing, unknown = _REQUIRED.keys() - fields, fields.keys() - allowed.keys()
    if missing or unknown:
        raise ValueError(f"LAB of {name}: {sorted(missing)} missing, {sorted(unknown)} unknown")
    if wrong := [key for key, value in fields.items() if type(value) is not allowed[key]]:
        raise ValueError(f"LAB of {name}: {wrong} of another type")
    if fields["verdict"] not in VERDICTS:
        raise ValueError(f"LAB of {name}: no verdict {fields['verdict']!r}")
    return dict(fields)


def _parameters(tree: ast.Module, name: str) -> int:
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "experiment":
            return len(statement.args.args)
    raise ValueError(f"{name} defines no experiment")
