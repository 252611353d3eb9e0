"""Reads many files at once: worker processes that parse, and the parent's side of them."""

import contextlib
import marshal
import os
import queue
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from fxanchor.progress import Progress
from fxanchor.source.child import start
from fxanchor.source.extract import extract
from fxanchor.source.files import SourceFile
from fxanchor.source.rows import FileRows, ScopeRows

# Below this many bytes one process is done before others have started.
ALONE_BYTES = 6_000_000
CHUNK_BYTES = 400_000
_LENGTH = struct.Struct("<Q")
_Plain = tuple[Any, ...]


def read_all(files: Sequence[SourceFile], label: str, progress: Progress) -> Iterator[FileRows]:
    """Read files, in several processes when there is much to read; a file that cannot be parsed is left out.

    Args:
        files: The files.
        label: What the progress is called.
        progress: Told how many of the files are done.

    Yields:
        What each file says, in no certain order.
    """
    total = sum(file.size for file in files)
    workers = min(_processors(), 1 + total // ALONE_BYTES)
    done = 0
    if total < ALONE_BYTES or workers < 2:
        for file in files:
            progress(label, done, len(files))
            done += 1
            if rows := _read(*_request(file)):
                yield rows
    else:
        for count, results in _Pool(_chunks(files), workers).results():
            done += count
            progress(label, done, len(files))
            yield from results
    progress(label, len(files), len(files))


def serve() -> None:
    """Read requests from standard input and write results to standard output, until the input ends."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while (request := _receive(source)) is not None:
        found = [_read(*item) for item in request]  # type: ignore[attr-defined]
        _send(sink, [_plain(rows) for rows in found if rows])


def _request(file: SourceFile) -> tuple[str, str, str, bool, bool]:
    return file.path, file.module, file.file, file.is_package, file.has_stub


def _read(path: str, module: str, file: str, is_package: bool, has_stub: bool) -> FileRows | None:
    try:
        stub = Path(f"{path}i").read_bytes() if has_stub else None
        return extract(Path(path).read_bytes(), module, file, is_package, stub)
    except OSError:
        return None


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _chunks(files: Sequence[SourceFile]) -> list[list[SourceFile]]:
    """Cut the work into pieces of about the same size, the largest files first so that none is left at the end."""
    chunks: list[list[SourceFile]] = []
    room = 0
    for file in sorted(files, key=lambda file: -file.size):
        if room <= 0:
            chunks.append([])
            room = CHUNK_BYTES
        chunks[-1].append(file)
        room -= file.size
    return chunks


class _Pool:
    """Threads that each drive one worker process."""

    def __init__(self, chunks: list[list[SourceFile]], workers: int) -> None:
        self._todo: queue.SimpleQueue[list[SourceFile]] = queue.SimpleQueue()
        for chunk in chunks:
            self._todo.put(chunk)
        self._chunks = len(chunks)
        self._done: queue.SimpleQueue[tuple[int, list[FileRows]]] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._drive, daemon=True) for _ in range(workers)]

    def results(self) -> Iterator[tuple[int, list[FileRows]]]:
        """Yield the number of files of each finished piece and what they say."""
        for thread in self._threads:
            thread.start()
        try:
            for _ in range(self._chunks):
                yield self._done.get()
        finally:
            self._stop.set()
            for thread in self._threads:
                thread.join()

    def _drive(self) -> None:
        process = start(__name__)
        try:
            while not self._stop.is_set():
                try:
                    chunk = self._todo.get_nowait()
                except queue.Empty:
                    break
                results = _ask(process, chunk)
                if results is None:
                    # A file has killed the worker: read the piece file by file, each in its own worker.
                    results = []
                    for file in chunk:
                        _end(process)
                        process = start(__name__)
                        results += _ask(process, [file]) or []
                self._done.put((len(chunk), results))
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    for stream in (process.stdin, process.stdout):
        if stream:
            with contextlib.suppress(OSError):
                stream.close()
    process.kill()
    process.wait()


def _ask(process: subprocess.Popen[bytes], chunk: list[SourceFile]) -> list[FileRows] | None:
    """Return what a worker reads out of the files, or None when it has died."""
    if process.stdin is None or process.stdout is None:
        return None
    try:
        _send(process.stdin, [_request(file) for file in chunk])
        answer = _receive(process.stdout)
    except OSError:
        return None
    return None if answer is None else [_rows(plain) for plain in answer]  # type: ignore[attr-defined]


def _send(stream: IO[bytes], value: list[_Plain]) -> None:
    data = marshal.dumps(value)
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def _receive(stream: IO[bytes]) -> object | None:
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    data = stream.read(length)
    return marshal.loads(data) if len(data) == length else None


def _plain(rows: FileRows) -> _Plain:
    return (*rows[:-1], [tuple(scope) for scope in rows.scopes])


def _rows(plain: Sequence[Any]) -> FileRows:
    return FileRows._make([*plain[:-1], [ScopeRows(*scope) for scope in plain[-1]]])
