"""The data classes that a package's source is handed on in."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Kind = Literal["module", "class", "function", "method", "attribute", "parameter"]


@dataclass(frozen=True, slots=True)
class Package:
    """An importable package found on disk, without importing it.

    Attributes:
        name: Import name as asked for, such as `torch.fx`.
        version: Version of the distribution that holds it, or "" when unknown.
        git_version: Full commit the distribution was built from, or "" when it does not say.
        root: Directory that `Definition.file` is relative to (the site directory).
        folder: Directory of the package, or the file of a single-module package.
        repository: `https://github.com/owner/name` of the source, or "" when unknown.
    """

    name: str
    version: str
    git_version: str
    root: Path
    folder: Path
    repository: str


@dataclass(frozen=True, slots=True)
class Definition:
    """A class, function, method, attribute, parameter or module of the package.

    Attributes:
        name: Qualified name as Python spells it: `torch.fx.graph.Graph.create_node`; a nested function is
            `torch.fx._symbolic_trace.Tracer.trace.<locals>.module_call_wrapper`; a parameter is its function's name
            and its own, `torch.fx._symbolic_trace.symbolic_trace.root`; the setter of a property is
            `torch.fx.graph_module.GraphModule.graph.setter`.
        kind: What it is. Properties and assigned or annotated names are attributes.
        file: Path relative to `Package.root`, with forward slashes.
        line: 1-based line of the `def`, `class` or assignment itself (not of its decorators).
        end_line: Last line.
        parent: Qualified name of the enclosing class, function or module; "" for a top-level module.
        bases: Base class expressions as written, for a class.
        annotation: Return annotation of a function or property, or the annotation of an attribute, as written.
        value: The right-hand side of an assigned attribute, as written, when it is short.
        doc: First paragraph of the docstring, or "".
    """

    name: str
    kind: Kind
    file: str
    line: int
    end_line: int
    parent: str
    bases: tuple[str, ...] = ()
    annotation: str = ""
    value: str = ""
    doc: str = ""

    @property
    def simple_name(self) -> str:
        """The last part of the qualified name."""
        return self.name.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Raise:
    """A `raise` statement inside a definition: where the code gives up.

    Attributes:
        exception: The exception's name as written.
        message: The message, with `{...}` where a value is filled in; "" when it is not a literal.
        file: Path relative to `Package.root`.
        line: 1-based line.
    """

    exception: str
    message: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Stop:
    """A line on which a debugger really stops.

    Attributes:
        symbol: Qualified name of the function.
        file: Path relative to `Package.root`.
        line: 1-based line that has bytecode; 0 when no Python breakpoint can reach the symbol.
        first_line: `co_firstlineno` of the code object, which tells it from others of the same name.
        note: When `line` is 0: why, and which Python line is the last before it, where one is known. Else "", or what
            else has to be known of the line, such as that several methods share it.
    """

    symbol: str
    file: str
    line: int
    first_line: int
    note: str = ""
