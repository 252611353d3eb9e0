"""Which names a piece of code binds, and which it needs from elsewhere."""

import ast
import builtins
import symtable
from dataclasses import dataclass, field

from fxanchor.model.syntax import parse_source

_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Delete, ast.Assert, ast.FunctionDef, ast.ClassDef)


@dataclass(slots=True)
class Names:
    """The names of a piece of code, at its top level.

    Attributes:
        needs: Names that it reads before it binds them, or binds nowhere; without built-ins.
        binds: Names that it binds.
        imports: For names that an import statement binds: the statement.
        touches: Names that its top-level statements read or bind, so that it may change what they stand for.
    """

    needs: set[str] = field(default_factory=set)
    binds: set[str] = field(default_factory=set)
    imports: dict[str, str] = field(default_factory=dict)
    touches: set[str] = field(default_factory=set)


def names_of(code: str) -> Names:
    """Return the names of a piece of code.

    Args:
        code: Python that parses.

    Raises:
        SyntaxError: When it does not.
    """
    names = Names()
    later: set[str] = set()
    for statement in parse_source(code).body:
        table = symtable.symtable(ast.unparse(statement), "<listing>", "exec")
        bound = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
        read = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_referenced()}
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            read.add(statement.target.id)
        names.touches |= bound | read
        if isinstance(statement, ast.Import | ast.ImportFrom):
            names.imports |= dict.fromkeys(bound, ast.unparse(statement))
        else:
            names.imports = {name: text for name, text in names.imports.items() if name not in bound}
        # A loop or a with binds the name before its body reads it; an assignment reads first.
        own = set() if isinstance(statement, _SIMPLE) else bound
        names.needs |= read - own - names.binds
        names.binds |= bound
        for child in table.get_children():
            later |= _globals(child)
    names.needs |= later - names.binds
    names.needs -= set(dir(builtins))
    return names


def _globals(table: symtable.SymbolTable) -> set[str]:
    """Return the names that a function or class reads from the module, those of the scopes in it too."""
    found = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global() and symbol.is_referenced()}
    for child in table.get_children():
        found |= _globals(child)
    return found
