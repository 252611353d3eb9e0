"""The index of one package as a SQLite file: written once, then opened read-only and asked name by name."""

import atexit
import json
import shutil
import sqlite3
import sys
import tempfile
import weakref
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from fxanchor import cache
from fxanchor.progress import Progress
from fxanchor.source.definition import Package
from fxanchor.source.files import SourceFile, list_files
from fxanchor.source.rows import CLASS, DefinitionRow, FileRows, ImportRow, ScopeRows

_SCHEMA, _INDEXES = (Path(__file__).with_name(name) for name in ("schema.sql", "indexes.sql"))
_INSERT_DEFINITION = "INSERT OR IGNORE INTO definitions VALUES (?,?,?,?,?,?,?,?,?,?,?)"


class Store:
    """Read-only access to the index of one package.

    A damaged file is noticed when it is opened or read, and built again without a word.
    """

    def __init__(self, path: Path, package: Package, rebuild: Callable[[], None]) -> None:
        """Open a file that `open_store` has made."""
        self.path = path
        self.package = package
        self._rebuild = rebuild
        self._connection = self._opened()

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """Run a query and return all its rows."""
        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.DatabaseError:
            self._connection.close()
            self._rebuild()
            self._connection = self._opened()
            return self._connection.execute(sql, values).fetchall()

    def _opened(self) -> sqlite3.Connection:
        connection = _connect(self.path)
        weakref.finalize(self, connection.close)
        return connection


@dataclass(frozen=True, slots=True)
class StoreFile:
    """The file that the index of a package is kept in, and what it has to be made of.

    Attributes:
        package: The package.
        files: Its files as they are now.
        path: Where the index is kept.
        stamp: What an index says that was made of these files by this fxanchor.
    """

    package: Package
    files: tuple[SourceFile, ...]
    path: Path
    stamp: str

    def is_current(self) -> bool:
        """Return whether the index is there, whole, and made of these files."""
        if not self.path.is_file():
            return False
        try:
            with closing(_connect(self.path)) as connection:
                (pages,) = connection.execute("PRAGMA page_count").fetchone()
                (size,) = connection.execute("PRAGMA page_size").fetchone()
                found = connection.execute("SELECT value FROM meta WHERE key = 'stamp'").fetchone()
        except sqlite3.DatabaseError:
            return False
        return bool(found == (self.stamp,) and pages * size == self.path.stat().st_size)

    def write(self, progress: Progress) -> None:
        """Make the index. Several processes may do this at once; each sees a whole file.

        Args:
            progress: Told how many files are read.

        Raises:
            OSError: When the file cannot be written.
            sqlite3.Error: Likewise.
        """
        with cache.replacing(self.path) as temporary:
            _build(temporary, self.package, self.files, self.stamp, progress)


def store_file(package: Package) -> StoreFile:
    """Return where the index of a package is kept and what it has to be made of.

    Raises:
        InputError: When the package cannot be read.
    """
    files = tuple(list_files(package.root, package.folder, package.name))
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    name = cache.key([str(package.root), package.name, version])
    return StoreFile(package, files, cache.path("index", f"{package.name}-{name}.sqlite"), _stamp(package, files))


def open_store(file: StoreFile, progress: Progress) -> Store:
    """Open the index of a package, built anew when a file, the package or fxanchor itself has changed.

    Args:
        file: Where it is kept.
        progress: Told how many files are read.

    Raises:
        OSError: When neither the cache nor a temporary directory can be written.
    """
    if not file.is_current():
        try:
            file.write(progress)
        except (OSError, sqlite3.Error):
            # The cache cannot be written: the index is kept for this process only.
            file = replace(file, path=_temporary_folder() / file.path.name)
            file.write(progress)
    return Store(file.path, file.package, lambda: file.write(progress))


def _temporary_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="fxanchor-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _stamp(package: Package, files: Sequence[SourceFile]) -> str:
    listed = (f"{file.file}:{file.size}:{file.mtime_ns}" for file in files)
    schema = _SCHEMA.read_text(encoding="utf-8") + _INDEXES.read_text(encoding="utf-8")
    return cache.key([package.version, package.git_version, cache.code_stamp("source"), schema, *listed])


def _connect(path: Path) -> sqlite3.Connection:
    # `immutable` spares the locks: the file is never written again, only replaced by another.
    uri = path.absolute().as_uri() + "?mode=ro&immutable=1"
    return sqlite3.connect(uri, uri=True, check_same_thread=False)


def _build(path: Path, package: Package, files: Sequence[SourceFile], stamp: str, progress: Progress) -> None:
    from fxanchor.source.public import PublicNames
    from fxanchor.source.worker import read_all

    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript(_SCHEMA.read_text(encoding="utf-8"))
        connection.execute("BEGIN")
        public = PublicNames()
        writer = _Writer(connection)
        stubs: list[ScopeRows] = []
        for rows in read_all(files, f"reading {package.name}", progress):
            writer.add(rows)
            public.add(rows)
            stubs.extend(scope for scope in rows.scopes if scope.file)
        for scope in public.complete(sorted(stubs, key=lambda scope: scope.file)):
            writer.add_scope(scope, scope.file)
        connection.executemany("INSERT INTO public VALUES (?,?)", sorted(public.spellings().items()))
        connection.executemany("INSERT INTO exports VALUES (?)", [(name,) for name in public.exports(package.name)])
        connection.executescript(_INDEXES.read_text(encoding="utf-8"))
        connection.execute("INSERT INTO meta VALUES ('stamp', ?)", (stamp,))


class _Writer:
    """Puts what the files say into the tables."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._scopes = 0

    def add(self, rows: FileRows) -> None:
        exported = None if rows.exported is None else json.dumps(rows.exported)
        run = self._connection.execute
        run(
            "INSERT OR IGNORE INTO modules VALUES (?,?,?,?,?)", (rows.module, rows.file, rows.lines, rows.doc, exported)
        )
        stars = [(rows.module, place, target, typing) for place, (target, typing) in enumerate(rows.stars)]
        self._connection.executemany("INSERT INTO stars VALUES (?,?,?,?)", stars)
        for scope in rows.scopes:
            if not scope.file:
                self.add_scope(scope, rows.file)

    def add_scope(self, scope: ScopeRows, file: str) -> None:
        self._scopes += 1
        self._connection.execute("INSERT INTO scopes VALUES (?,?,?)", (self._scopes, scope.name, file))
        definitions = [DefinitionRow(*values) for values in scope.definitions]  # type: ignore[arg-type]
        self._connection.executemany(_INSERT_DEFINITION, [self._definition(row) for row in definitions])
        imports = [ImportRow(*values) for values in scope.imports]  # type: ignore[arg-type]
        self._connection.executemany(
            "INSERT OR IGNORE INTO imports VALUES (?,?,?,?)",
            [(self._scopes, row.simple, row.target, row.wins) for row in imports],
        )
        self._connection.executemany(
            "INSERT INTO subclasses VALUES (?,?)",
            [(base, f"{scope.name}.{row.simple}") for row in definitions if row.kind == CLASS for base in row.targets],
        )

    def _definition(self, row: DefinitionRow) -> tuple[object, ...]:
        bases = json.dumps(row.bases) if row.bases else None
        texts = (text or None for text in (row.annotation, row.value, row.doc, row.alias))
        return (self._scopes, row.simple, row.kind, row.line, row.end_line, bases, *texts, row.decorators or None)
