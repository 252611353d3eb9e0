"""Makes an index in a process of its own while this one does something else, such as reading a paper."""

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fxanchor.progress import Progress
from fxanchor.source.index import Index, plan_index

if TYPE_CHECKING:
    import subprocess

    from fxanchor.source.store import StoreFile

_SECONDS_TO_END = 2.0
_SECONDS_BETWEEN_REPORTS = 0.1


@contextlib.contextmanager
def index_ahead(names: Sequence[str], *, source: Path | None = None) -> Iterator[Callable[[Progress], Index]]:
    """Begin to make the index of packages, where it is stale, and go on with the block.

    Args:
        names: As for `fxanchor.source.index.open_index`.
        source: As for `open_index`.

    Yields:
        A function that waits for the index and opens it; it takes what is told how many files are read.

    Raises:
        UsageError: When there is no such package.
        InputError: When its source cannot be read.
    """
    plan = plan_index(names, source=source)
    stale = plan.stale()
    process = _begun(stale) if stale else None

    def opened(progress: Progress) -> Index:
        if process is not None:
            _follow(process, progress)
        # What the process could not make is made here, and its fault told.
        return plan.open(progress)

    try:
        yield opened
    finally:
        if process is not None:
            _end(process)


def serve() -> None:
    """Make the index files named on standard input, and write to standard output how far they are."""
    import pickle

    files: tuple[StoreFile, ...] = pickle.loads(sys.stdin.buffer.read())
    told = 0.0

    def tell(label: str, done: int, total: int) -> None:
        nonlocal told
        # Nobody may read this for a long time, and a pipe that is full would hold up the work.
        if (now := time.monotonic()) - told >= _SECONDS_BETWEEN_REPORTS:
            told = now
            sys.stdout.buffer.write(f"{label}\t{done}\t{total}\n".encode())
            sys.stdout.buffer.flush()

    for file in files:
        file.write(tell)


def _begun(stale: "Sequence[StoreFile]") -> "subprocess.Popen[bytes] | None":
    import pickle

    from fxanchor.source.child import start

    try:
        process = start(__name__)
    except OSError:
        return None
    if process.stdin is not None:
        with contextlib.suppress(OSError), process.stdin:
            process.stdin.write(pickle.dumps(tuple(stale)))
    return process


def _follow(process: "subprocess.Popen[bytes]", progress: Progress) -> None:
    """Wait until the process has ended, and pass on how far it is."""
    for line in process.stdout or ():
        label, _, counts = line.decode().rstrip("\n").partition("\t")
        done, _, total = counts.partition("\t")
        progress(label, int(done), int(total))
    process.wait()


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the process when the block was left early; an interrupt lets it remove its temporary file."""
    import subprocess

    if process.stdout is not None:
        process.stdout.close()
    if process.poll() is None and os.name == "posix":
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_SECONDS_TO_END)
    process.kill()
    process.wait()
