"""Find which missing imports of the user's files may be stood in for, and put the stand-ins in their place."""

import ast
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import FrameType, ModuleType, TracebackType

from fxanchor.model.importing import UserFiles, file_of
from fxanchor.model.standins import StandIns
from fxanchor.model.syntax import parse_source

_CATCH_IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})


class MissingFinder(MetaPathFinder, Loader):
    """Gives stand-ins for modules that nothing else finds, to import statements of the user's files alone.

    An import inside a `try` that handles its failure is left to fail: the author has said what to do then.
    Imports made by libraries, and questions whether a package is there, are left alone too.

    Args:
        files: Which files are the user's.
    """

    def __init__(self, files: UserFiles) -> None:
        self._user_files = files
        self._files: dict[str, _File | None] = {}
        self._forced: set[str] = set()
        self.stand_ins = StandIns(self._decorated)

    def withdraw(self) -> None:
        """Take the stand-ins, and the modules of the user's files, out of the import system."""
        sys.meta_path.remove(self)
        for name, module in list(sys.modules.items()):
            if self._is_own(module) or name in self.stand_ins.names:
                sys.modules.pop(name, None)

    def _is_own(self, module: ModuleType) -> bool:
        if self._user_files.in_library:
            return False
        paths = [str(path) for path in module.__dict__.get("__path__", ())] if type(module) is ModuleType else []
        return any(path in self._user_files for path in (file_of(module), *paths))

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        """Return a spec for a stand-in, or None.

        Args:
            fullname: Name of the module.
            path: Path of its package.
            target: Not used.
        """
        # An installed package knows which of its imports may be missing.
        if not self.stand_ins.importing or self._user_files.in_library:
            return None
        frame = _importer(sys._getframe(1))
        file = self._file(frame)
        if frame is None or file is None or not file.imports_unguarded(frame.f_lineno):
            return None
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the stand-in.

        Args:
            spec: From `find_spec`.
        """
        return self.stand_ins.module(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: a stand-in has no code."""

    def stand_in_for(self, error: ImportError) -> bool:
        """Put a stand-in where an import failed that was not for want of a module.

        That is a name which its module does not have, or a library that raised while it was imported.

        Args:
            error: What the import of the user's file raised.

        Returns:
            Whether trying again may lead further.
        """
        place = self._last_user_frame(error.__traceback__)
        if place is None:
            return False
        statement = place[0].import_at(place[1])
        if isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
            module = sys.modules.get(statement.module)
            absent = [each.name for each in statement.names if each.name != "*" and not hasattr(module, each.name)]
            if module is not None and file_of(module) not in self._user_files and absent:
                for name in absent:
                    setattr(module, name, self.stand_ins.value(f"{statement.module}.{name}"))
                return True
        for name in _packages_of(statement):
            if name not in self._forced and name not in sys.modules:
                self._forced.add(name)
                sys.modules[name] = self.stand_ins.module(name)
                return True
        return False

    def _last_user_frame(self, trace: TracebackType | None) -> "tuple[_File, int] | None":
        found = None
        while trace is not None:
            file = self._file(trace.tb_frame)
            if file is not None:
                found = file, trace.tb_lineno
            trace = trace.tb_next
        return found

    def _decorated(self, frame: FrameType) -> str:
        file = self._file(frame)
        return file.decorated_at(frame.f_lineno) if file else ""

    def _file(self, frame: FrameType | None) -> "_File | None":
        if frame is None:
            return None
        name = frame.f_code.co_filename
        if name not in self._files:
            self._files[name] = _parsed(name) if name in self._user_files else None
        return self._files[name]


@dataclass(frozen=True, slots=True)
class _File:
    imports: tuple[ast.Import | ast.ImportFrom, ...]
    guards: tuple[range, ...]
    decorators: tuple[tuple[range, str], ...]

    def import_at(self, line: int) -> ast.Import | ast.ImportFrom | None:
        return next((each for each in self.imports if line in _lines(each)), None)

    def imports_unguarded(self, line: int) -> bool:
        return self.import_at(line) is not None and not any(line in guard for guard in self.guards)

    def decorated_at(self, line: int) -> str:
        return next((name for lines, name in self.decorators if line in lines), "")


def _parsed(name: str) -> _File | None:
    import linecache

    text = "".join(linecache.getlines(name))
    try:
        tree = parse_source(text or Path(name).read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    nodes = list(ast.walk(tree))
    return _File(
        tuple(node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)),
        tuple(guard for node in nodes for guard in _guards(node)),
        tuple(
            (_lines(decorator), node.name)
            for node in nodes
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            for decorator in node.decorator_list
        ),
    )


def _guards(node: ast.AST) -> Iterator[range]:
    if isinstance(node, ast.Try) and any(_catches(handler.type) for handler in node.handlers):
        yield range(node.body[0].lineno, (node.body[-1].end_lineno or node.body[-1].lineno) + 1)
    if isinstance(node, ast.With):
        for item in node.items:
            call = item.context_expr
            if isinstance(call, ast.Call) and any(_catches(argument) for argument in call.args):
                yield _lines(node)


def _catches(kind: ast.expr | None) -> bool:
    if kind is None:
        return True
    names = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(isinstance(name, ast.Name) and name.id in _CATCH_IMPORT_ERRORS for name in names)


def _lines(node: ast.stmt | ast.expr) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _packages_of(statement: ast.Import | ast.ImportFrom | None) -> list[str]:
    if isinstance(statement, ast.Import):
        return [alias.name.partition(".")[0] for alias in statement.names]
    if isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
        return [statement.module.partition(".")[0]]
    return []


def _importer(frame: FrameType | None) -> FrameType | None:
    """Return the frame that imports: the first one outside the import system and this file."""
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith("<frozen importlib") and name != __file__:
            return frame
        frame = frame.f_back
    return None
