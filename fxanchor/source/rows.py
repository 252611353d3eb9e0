"""What one source file says, as plain tuples that pass between processes and into the store."""

from typing import NamedTuple

# The order is the number by which the store knows the kind.
KINDS = ("module", "class", "function", "method", "attribute", "parameter")
MODULE, CLASS, FUNCTION, METHOD, ATTRIBUTE, PARAMETER = range(len(KINDS))

# Between a function's name and what is defined inside it, as in `__qualname__`.
LOCALS = "<locals>"
# In a list of exported names: `__all__` is also filled by code, with names that its text does not tell.
OPEN = "*"


class DefinitionRow(NamedTuple):
    """A definition; the scope it belongs to and the file are said by what holds the row.

    `alias` is the dotted name on the right of `X = Y`, `targets` are the base classes of a class as absolute dotted
    names, as far as the module's own imports tell, and `decorators` counts the lines of decorators above `line`.
    """

    simple: str
    kind: int
    line: int
    end_line: int
    bases: tuple[str, ...] = ()
    annotation: str = ""
    value: str = ""
    doc: str = ""
    alias: str = ""
    targets: tuple[str, ...] = ()
    decorators: int = 0


class ImportRow(NamedTuple):
    """A name that an import binds.

    `wins` says that the name means the import where a definition of the same name stands in the same scope too;
    `kept` says that the spelling marks a re-export (`import a as a`, `from x import a as a`).
    """

    simple: str
    target: str
    wins: bool
    kept: bool


class ScopeRows(NamedTuple):
    """The names of one scope: a module, a class, a function (its parameters) or a function's `<locals>`.

    `file` is "" for the file of the module itself, else that of the stub beside it.
    """

    name: str
    definitions: list[tuple[object, ...]]
    imports: list[tuple[object, ...]]
    file: str = ""


class FileRows(NamedTuple):
    """What one file says.

    `exported` are the names of `__all__`, as far as it is written out; None when there is no `__all__`.
    `stars` are the modules of `from m import *` in order, each with whether that never runs.
    """

    module: str
    file: str
    is_package: bool
    lines: int
    doc: str
    exported: list[str] | None
    stars: list[tuple[str, bool]]
    scopes: list[ScopeRows]
