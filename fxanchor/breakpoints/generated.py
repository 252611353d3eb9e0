"""The forward that a capture generates, in a file of its own: its lines, their nodes, and the user's lines."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType

from fxanchor import cache
from fxanchor.breakpoints.recording import Value
from fxanchor.errors import InputError, UsageError
from fxanchor.model.report import NodeRow

_FORWARD = "forward"


@dataclass(frozen=True, slots=True)
class GeneratedLine:
    """A line of generated code and the node it computes.

    Attributes:
        line: 1-based line of the generated code.
        text: The line, without its indentation.
        node: The node, with the user's expression behind it.
    """

    line: int
    text: str
    node: NodeRow


def map_lines(code: str, nodes: Sequence[NodeRow]) -> tuple[GeneratedLine, ...]:
    """Return which line of generated code computes which node, in the order of the code.

    A parameter stands for the node of the argument and the return statement for that of the output; every other node
    is the variable that is assigned under its name.

    Args:
        code: The generated code, which defines a function `forward`.
        nodes: The captured nodes.

    Raises:
        UsageError: When the code defines no such function.
    """
    function = _forward(code)
    by_name = {node.name: node for node in nodes}
    found: dict[str, int] = {}
    arguments = function.args
    for argument in (*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg):
        if argument is not None and argument.arg in by_name:
            found[argument.arg] = argument.lineno
    output = next((node.name for node in nodes if node.op == "output"), "")
    for statement in ast.walk(function):
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            for target in targets:
                # Values are set to None where they are used last: the first assignment is the node's own.
                if isinstance(target, ast.Name) and target.id in by_name:
                    found[target.id] = min(statement.lineno, found.get(target.id, statement.lineno))
        elif isinstance(statement, ast.Return) and output:
            found[output] = statement.lineno
    lines = code.splitlines()
    ordered = sorted(found.items(), key=lambda item: item[1])
    return tuple(GeneratedLine(line, lines[line - 1].strip(), by_name[name]) for name, line in ordered)


def stable_path(model: str) -> Path:
    """Return the file that the generated code of a model is kept in, the same in every run.

    Args:
        model: The model's file and target.
    """
    return cache.path("generated", cache.key([model])) / "forward.py"


def write_code(code: str, path: Path) -> None:
    """Write generated code to a file.

    Raises:
        InputError: When it cannot be written.
    """
    try:
        with cache.replacing(path) as temporary:
            temporary.write_text(code, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror}); name another file.") from None


def run_from(module: Value, code: str, path: Path) -> None:
    """Let a captured module run its generated code from a file, so that a breakpoint in the file stops it.

    Args:
        module: The captured module; its class is its own.
        code: Its generated code, which is also what the file holds.
        path: The file.
    """
    generated = getattr(type(module), _FORWARD)
    assert isinstance(generated, FunctionType)
    namespace = dict(generated.__globals__)
    exec(compile(code, str(path), "exec", dont_inherit=True), namespace)
    setattr(type(module), _FORWARD, namespace[_FORWARD])


def _forward(code: str) -> ast.FunctionDef:
    for statement in ast.parse(code).body:
        if isinstance(statement, ast.FunctionDef) and statement.name == _FORWARD:
            return statement
    raise UsageError("This model has no generated code; it was not captured by symbolic_trace.")
