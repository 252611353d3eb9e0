"""Whether a code object was compiled from the file that it names: what `compile` is given can name any file."""

import ast
import linecache
import sys
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from types import CodeType

from fxanchor.model.sources import Range, collecting_no_garbage, range_of
from fxanchor.model.syntax import parse_source

_MAX_CHARACTERS = 5_000_000


class Belonging:
    """Compares code objects with what the file they name compiles to; each file is compiled once."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[dict[str, set[Range]], set[Range]] | None] = {}
        self._imported: dict[str, frozenset[CodeType]] = {}
        self._known: dict[int, tuple[CodeType, bool]] = {}

    def is_of_its_file(self, code: CodeType) -> bool:
        """Whether the file has code of this name, with an expression wherever this code says that it has one.

        Args:
            code: What a frame runs, or what was made of it by a change that keeps places.
        """
        known = self._known.get(id(code))
        if known is None:
            # The code object is kept with its answer, so that its id cannot come to mean another one.
            known = self._known[id(code)] = (code, self._find(code))
        return known[1]

    def _find(self, code: CodeType) -> bool:
        filename = code.co_filename
        if filename not in self._imported:
            self._imported[filename] = frozenset(_imported(filename))
        if code in self._imported[filename]:
            return True
        if filename not in self._files:
            with collecting_no_garbage():
                self._files[filename] = _compiled(filename)
        compiled = self._files[filename]
        if compiled is None or code.co_name not in compiled[0]:
            return False
        named, ranges = compiled[0][code.co_name], compiled[1]
        if any(position[2] is None for position in code.co_positions() if position[0] is not None):
            # Compiled without columns (python -X no_debug_ranges): only lines can be compared.
            lines = {position[0] for position in named}
            return all(position[0] is None or position[0] in lines for position in code.co_positions())
        return all(position in named or position in ranges for position in code.co_positions())


def _imported(filename: str) -> Iterator[CodeType]:
    """Give the code objects of the module that was imported from a file; Python keeps them beside it, compiled."""
    for module in list(sys.modules.values()):
        held = getattr(module, "__dict__", {})
        spec = held.get("__spec__")
        loader = getattr(spec, "loader", None)
        if held.get("__file__") != filename or type(loader) is not SourceFileLoader or loader.path != filename:
            continue
        try:
            found = loader.get_code(loader.name)
        except (ImportError, OSError, SyntaxError, ValueError):
            return
        if found is not None:
            yield from _nested(found)
        return


def _nested(module: CodeType) -> Iterator[CodeType]:
    """Give a code object and all that are in it."""
    pending = [module]
    while pending:
        code = pending.pop()
        yield code
        pending += [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def _compiled(filename: str) -> tuple[dict[str, set[Range]], set[Range]] | None:
    """The positions of every code object of a file by its name, and the places of its syntax; None when it has none."""
    text = "".join(linecache.getlines(filename))
    if not 0 < len(text) < _MAX_CHARACTERS:
        return None
    try:
        tree = parse_source(text)
        module = compile(tree, filename, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    named: dict[str, set[Range]] = {}
    for code in _nested(module):
        named.setdefault(code.co_name, {(None, None, None, None)}).update(code.co_positions())
    return named, {range_of(node) for node in ast.walk(tree) if isinstance(node, ast.expr | ast.stmt)}
