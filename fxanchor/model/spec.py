"""What a command line says about a model: which file or module, what in it, how to build it, with which inputs."""

import ast
import difflib
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Self

from fxanchor.errors import InputError, UsageError
from fxanchor.model.plain import one_line
from fxanchor.model.syntax import parse_source

_MODEL_FILE = re.compile(r"\.(?:py|ipynb)(?=:|$)")
_MODULE = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model that was asked for.

    Attributes:
        file: Path of the `.py` or `.ipynb` file as given, "" when a module is named.
        module: Dotted name of the module, "" when a file is named.
        expression: What to take from it: a name or an expression; "" to look for the model.
        args: Arguments of the constructor as Python writes them, such as `hidden=64, depth=2`.
        config: Name or expression of the configuration that the constructor takes first.
        inputs: Text of the example inputs (see `inputs.parse_inputs`), or the name of a function in the file.
        not_imported: Why the file must not be executed as a whole, in words; then only its imports, definitions and
            simple constants are. "" to try the whole first.
        import_seconds: Time that importing may take before definitions alone are executed.
    """

    file: str = ""
    module: str = ""
    expression: str = ""
    args: str = ""
    config: str = ""
    inputs: str = ""
    not_imported: str = ""
    import_seconds: float = 30.0

    @property
    def source(self) -> str:
        """The file or module as given."""
        return self.file or self.module

    def to_json(self) -> dict[str, Any]:
        """Return the fields as plain JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Return the spec that `to_json` was called on.

        Args:
            value: The fields; others are ignored.
        """
        return cls(**{field.name: value[field.name] for field in fields(cls) if field.name in value})


def parse_model(
    text: str, *, args: str = "", config: str = "", inputs: str = "", import_seconds: float = 30.0
) -> ModelSpec:
    """Read the MODEL argument of a command.

    Args:
        text: `file.py`, `file.py:Name`, `file.py:expression`, `notebook.ipynb:Name`, `package.module` or
            `package.module:Name`. Colons in the path and Windows drives are understood.
        args: See `ModelSpec`.
        config: See `ModelSpec`.
        inputs: See `ModelSpec`.
        import_seconds: See `ModelSpec`.

    Raises:
        UsageError: When the text is none of these, or an expression in it or in `args` or `config` is not Python.
        InputError: When it names a directory, or a file that is no Python file.
    """
    file, module, expression = _split(text)
    for label, code in (("model expression", expression), ("--config", config)):
        if code:
            _parsed(label, code, code)
    if args and not _is_one_call(_parsed("--args", args, f"f({args})")):
        raise _not_python("--args", args)
    return ModelSpec(
        file=file,
        module=module,
        expression=expression.strip(),
        args=args,
        config=config,
        inputs=inputs,
        import_seconds=import_seconds,
    )


def _split(text: str) -> tuple[str, str, str]:
    cuts = [match.end() for match in _MODEL_FILE.finditer(text)]
    if cuts:
        # `a.py:b.py` is one odd file when there is such a file; else the name ends at the first colon behind `.py`.
        cut = next((cut for cut in reversed(cuts) if Path(text[:cut]).is_file()), cuts[0])
        return text[:cut], "", text[cut + 1 :]
    path = Path(text)
    if text and path.is_dir():
        raise InputError(f"{one_line(text)} is a directory; name a Python file in it, such as {one_line(text)}/net.py.")
    if path.is_file():
        raise InputError(f"{one_line(text)} is not a Python file; name a .py or .ipynb file.")
    module, colon, expression = text.partition(":")
    if _MODULE.fullmatch(module) and (expression or not colon):
        return "", module, expression
    raise UsageError(
        f"{one_line(text)!r} names no model; give file.py, file.py:Name, file.py:expression or package.module:Name."
    )


def _parsed(label: str, shown: str, code: str) -> ast.expr:
    try:
        return parse_source(code.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _not_python(label, shown) from None


def _is_one_call(tree: ast.expr) -> bool:
    return isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)


def _not_python(label: str, shown: str) -> UsageError:
    return UsageError(f"The {label} {one_line(shown)!r} is not a Python expression; write it as in code.")


def suggest(name: str, known: list[str]) -> str:
    """Return ` (did you mean X?)` for the known name nearest to `name`, or "".

    Args:
        name: What was asked for.
        known: What there is.
    """
    near = difflib.get_close_matches(name, known, n=1)
    return f" (did you mean {near[0]}?)" if near else ""
